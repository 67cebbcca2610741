/** The objects that the pool creates. */
@NullMarked
package io.ringmaster.pool.kubernetes.objects;

import org.jspecify.annotations.NullMarked;
