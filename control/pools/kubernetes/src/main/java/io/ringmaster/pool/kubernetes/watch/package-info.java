/** The present objects of the cluster, by watches. */
@NullMarked
package io.ringmaster.pool.kubernetes.watch;

import org.jspecify.annotations.NullMarked;
