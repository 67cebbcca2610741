/** Changes parameters of cassandra.yaml in a running daemon, without a restart. */
@NullMarked
package io.ringmaster.executor.settings;

import org.jspecify.annotations.NullMarked;
