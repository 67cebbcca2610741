/** How full the volume of the node is. */
@NullMarked
package io.ringmaster.executor.volume;

import org.jspecify.annotations.NullMarked;
