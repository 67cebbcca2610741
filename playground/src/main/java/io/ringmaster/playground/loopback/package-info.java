/** Loopback addresses and ports that no two playgrounds of this computer share. */
@NullMarked
package io.ringmaster.playground.loopback;

import org.jspecify.annotations.NullMarked;
