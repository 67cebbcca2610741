/** Long work inside the node, asked for by the executor under an id. */
@NullMarked
package io.ringmaster.companion.task;

import org.jspecify.annotations.NullMarked;
