/** Parameters of cassandra.yaml that are changed in the running Cassandra. */
@NullMarked
package io.ringmaster.companion.settings;

import org.jspecify.annotations.NullMarked;
