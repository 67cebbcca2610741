/** Moves plans along: which steps may begin, what their verdicts change. */
@NullMarked
package io.ringmaster.core.plan;

import org.jspecify.annotations.NullMarked;
