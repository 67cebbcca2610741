/** The work of an operation, as data: plan, phase, step. */
@NullMarked
package io.ringmaster.model.plan;

import org.jspecify.annotations.NullMarked;
