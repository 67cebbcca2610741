/** Which machine gets which node, with a reason for each machine that does not. */
@NullMarked
package io.ringmaster.core.placement;

import org.jspecify.annotations.NullMarked;
