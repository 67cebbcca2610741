/** Recognises nodes in the ring by host id, because the address of a node may change at every launch. */
@NullMarked
package io.ringmaster.core.ring;

import org.jspecify.annotations.NullMarked;
