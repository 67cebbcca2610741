/** The seeds that each node gets. */
@NullMarked
package io.ringmaster.core.seeds;

import org.jspecify.annotations.NullMarked;
