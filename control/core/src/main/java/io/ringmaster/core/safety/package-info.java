/** Whether a node may go down now, and whether a node that is down recovers without help. */
@NullMarked
package io.ringmaster.core.safety;

import org.jspecify.annotations.NullMarked;
