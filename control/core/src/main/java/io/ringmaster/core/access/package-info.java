/** API tokens: which are known in the fleet, and how they are created and revoked. */
@NullMarked
package io.ringmaster.core.access;

import org.jspecify.annotations.NullMarked;
