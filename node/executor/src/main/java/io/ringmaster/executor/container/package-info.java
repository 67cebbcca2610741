/** An executor that is the first process of a container: its logs, its orphans, its end. */
@NullMarked
package io.ringmaster.executor.container;

import org.jspecify.annotations.NullMarked;
