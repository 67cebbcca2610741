/** The executor's own log. */
@NullMarked
package io.ringmaster.executor.log;

import org.jspecify.annotations.NullMarked;
