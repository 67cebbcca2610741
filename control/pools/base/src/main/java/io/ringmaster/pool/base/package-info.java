/** Parts that pools on any platform share: the order of commands, the fence against former leaders, the reports. */
@NullMarked
package io.ringmaster.pool.base;

import org.jspecify.annotations.NullMarked;
