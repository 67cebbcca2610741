/** The contract of the pool and the rest of its behaviour, with real processes. */
@NullMarked
package io.ringmaster.pool.local;

import org.jspecify.annotations.NullMarked;
