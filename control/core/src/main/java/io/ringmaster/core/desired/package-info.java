/** The target state that a node's executor receives, and what a new spec changes on a node. */
@NullMarked
package io.ringmaster.core.desired;

import org.jspecify.annotations.NullMarked;
