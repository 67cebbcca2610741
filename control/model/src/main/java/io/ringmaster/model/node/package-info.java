/** One Cassandra daemon: its target state and its reported state. */
@NullMarked
package io.ringmaster.model.node;

import org.jspecify.annotations.NullMarked;
