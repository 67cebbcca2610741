/** Records and elections in memory, for the simulator and for tests. They pass the contract tests of their ports. */
@NullMarked
package io.ringmaster.store.memory;

import org.jspecify.annotations.NullMarked;
