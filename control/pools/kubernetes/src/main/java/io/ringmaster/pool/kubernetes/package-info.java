/** A pool of the machines of a Kubernetes cluster: each allocation is a PersistentVolumeClaim, a Secret and a Pod. */
@NullMarked
package io.ringmaster.pool.kubernetes;

import org.jspecify.annotations.NullMarked;
