/** Changes parameters of cassandra.yaml in the running Cassandra. */
@NullMarked
package io.ringmaster.companion.settings;

import org.jspecify.annotations.NullMarked;
