/** What objects of Kubernetes mean to Ringmaster, as pure functions. */
@NullMarked
package io.ringmaster.pool.kubernetes.observe;

import org.jspecify.annotations.NullMarked;
