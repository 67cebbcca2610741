/** One Cassandra daemon: what it should be and what was seen of it. */
@NullMarked
package io.ringmaster.model.node;

import org.jspecify.annotations.NullMarked;
