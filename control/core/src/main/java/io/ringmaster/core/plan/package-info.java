/** Advances plans: which steps may start, and what their verdicts change. */
@NullMarked
package io.ringmaster.core.plan;

import org.jspecify.annotations.NullMarked;
