/** Contract tests of ports that need the server's side and the executor's side together. They start no Cassandra. */
@NullMarked
package io.ringmaster.integration.contract;

import org.jspecify.annotations.NullMarked;
