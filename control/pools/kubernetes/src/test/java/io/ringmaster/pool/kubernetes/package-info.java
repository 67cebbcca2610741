/** What the tests of the Kubernetes pool share, and the tests of its configuration. */
@NullMarked
package io.ringmaster.pool.kubernetes;

import org.jspecify.annotations.NullMarked;
