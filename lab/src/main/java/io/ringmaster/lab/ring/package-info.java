/** Rings of real Cassandra that experiments measure. */
@NullMarked
package io.ringmaster.lab.ring;

import org.jspecify.annotations.NullMarked;
