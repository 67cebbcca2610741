/** The operation lock of a cluster: which request may start in which datacenter, and which nodes a request names. */
@NullMarked
package io.ringmaster.core.lock;

import org.jspecify.annotations.NullMarked;
