/** Observations. Decisions learn of the outside through facts alone. */
@NullMarked
package io.ringmaster.model.fact;

import org.jspecify.annotations.NullMarked;
