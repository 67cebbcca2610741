/**
 * The rules for running Cassandra. Pure: no I/O, no clock, no randomness of its own; a {@code View} goes in, verdicts
 * and plans come out.
 */
@NullMarked
package io.ringmaster.core;

import org.jspecify.annotations.NullMarked;
