/** Which machine holds which node, with a reason for each machine that was not chosen. */
@NullMarked
package io.ringmaster.core.placement;

import org.jspecify.annotations.NullMarked;
