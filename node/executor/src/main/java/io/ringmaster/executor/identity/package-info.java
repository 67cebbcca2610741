/** The key and certificate by which a node proves who it is to the other nodes of its cluster. */
@NullMarked
package io.ringmaster.executor.identity;

import org.jspecify.annotations.NullMarked;
