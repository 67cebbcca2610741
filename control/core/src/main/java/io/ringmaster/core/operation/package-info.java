/** The catalogue of operations: from a view and parameters to a plan, or a refusal. */
@NullMarked
package io.ringmaster.core.operation;

import org.jspecify.annotations.NullMarked;
