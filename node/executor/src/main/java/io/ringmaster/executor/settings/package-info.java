/** Parameters of cassandra.yaml that a running daemon takes without a restart. */
@NullMarked
package io.ringmaster.executor.settings;

import org.jspecify.annotations.NullMarked;
