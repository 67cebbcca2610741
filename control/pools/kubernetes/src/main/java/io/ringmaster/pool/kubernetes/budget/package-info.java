/** What Kubernetes may evict by its own decision. */
@NullMarked
package io.ringmaster.pool.kubernetes.budget;

import org.jspecify.annotations.NullMarked;
