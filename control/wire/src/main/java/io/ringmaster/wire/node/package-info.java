/** The client of the executors' HTTP API. */
@NullMarked
package io.ringmaster.wire.node;

import org.jspecify.annotations.NullMarked;
