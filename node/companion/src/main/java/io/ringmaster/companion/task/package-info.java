/** Long-running tasks inside the node, which the executor starts under an id. */
@NullMarked
package io.ringmaster.companion.task;

import org.jspecify.annotations.NullMarked;
