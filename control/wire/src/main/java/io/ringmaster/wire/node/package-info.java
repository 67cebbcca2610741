/** The way to the executors over HTTP. */
@NullMarked
package io.ringmaster.wire.node;

import org.jspecify.annotations.NullMarked;
