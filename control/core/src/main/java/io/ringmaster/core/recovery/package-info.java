/** Enforces the targets of nodes outside of any plan. */
@NullMarked
package io.ringmaster.core.recovery;

import org.jspecify.annotations.NullMarked;
