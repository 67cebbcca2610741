/** The task in the node's target: begun, followed, ended. */
@NullMarked
package io.ringmaster.executor.task;

import org.jspecify.annotations.NullMarked;
