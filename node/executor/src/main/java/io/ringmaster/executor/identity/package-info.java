/** The key and certificates by which a node proves who it is to the other nodes of its cluster and to CQL clients. */
@NullMarked
package io.ringmaster.executor.identity;

import org.jspecify.annotations.NullMarked;
