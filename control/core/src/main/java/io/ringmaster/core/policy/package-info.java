/** Operations that start automatically: scheduled repair and automatic replacement. */
@NullMarked
package io.ringmaster.core.policy;

import org.jspecify.annotations.NullMarked;
