/** The exchange of reports between datacenters over HTTP. */
@NullMarked
package io.ringmaster.wire.peer;

import org.jspecify.annotations.NullMarked;
