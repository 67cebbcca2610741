/** Recognises nodes in the ring: a node is known by its host id, and its address may change at every start. */
@NullMarked
package io.ringmaster.core.ring;

import org.jspecify.annotations.NullMarked;
