/** One file per step. A step concerns one node (or one peer, or the whole cluster) and says what to do next, given a view. */
@NullMarked
package io.ringmaster.core.step;

import org.jspecify.annotations.NullMarked;
