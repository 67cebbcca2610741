/** The loop that makes the target true: it starts, watches, changes and stops the daemon, and reports its status. */
@NullMarked
package io.ringmaster.executor.supervisor;

import org.jspecify.annotations.NullMarked;
