/** Starting and stopping a whole fleet on this computer. */
@NullMarked
package io.ringmaster.cli.playground;

import org.jspecify.annotations.NullMarked;
