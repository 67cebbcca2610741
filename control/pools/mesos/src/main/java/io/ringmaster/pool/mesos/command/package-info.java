/** Commands for allocations: offers, operations and tasks, and the reports about them. */
@NullMarked
package io.ringmaster.pool.mesos.command;

import org.jspecify.annotations.NullMarked;
