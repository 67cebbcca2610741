/** Starts, follows and aborts the task of the node's target. */
@NullMarked
package io.ringmaster.executor.task;

import org.jspecify.annotations.NullMarked;
