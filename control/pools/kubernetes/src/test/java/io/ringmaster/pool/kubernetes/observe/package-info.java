/** What objects of Kubernetes mean, in tables. */
@NullMarked
package io.ringmaster.pool.kubernetes.observe;

import org.jspecify.annotations.NullMarked;
