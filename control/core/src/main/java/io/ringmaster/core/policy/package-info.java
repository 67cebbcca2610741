/** Operations that nobody has to ask for: scheduled repair and automatic replacement. */
@NullMarked
package io.ringmaster.core.policy;

import org.jspecify.annotations.NullMarked;
