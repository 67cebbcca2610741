/** The process beside one Cassandra daemon: makes its target true, watches it, reports. It may die at any time; the daemon lives on and is adopted. */
@NullMarked
package io.ringmaster.executor;

import org.jspecify.annotations.NullMarked;
