/** The Kubernetes objects of an allocation, as values. */
@NullMarked
package io.ringmaster.pool.kubernetes.objects;

import org.jspecify.annotations.NullMarked;
