/** Starting and stopping a whole fleet on this computer. */
@NullMarked
package io.ringmaster.playground;

import org.jspecify.annotations.NullMarked;
