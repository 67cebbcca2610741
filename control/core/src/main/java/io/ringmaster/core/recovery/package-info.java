/** What keeps decided nodes running outside of any plan. */
@NullMarked
package io.ringmaster.core.recovery;

import org.jspecify.annotations.NullMarked;
