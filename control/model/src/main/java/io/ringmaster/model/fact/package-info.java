/** What was observed. Facts are the only way the outside reaches a decision. */
@NullMarked
package io.ringmaster.model.fact;

import org.jspecify.annotations.NullMarked;
