/** The TLS of this server: its certificate, its listeners, and the servers that it trusts. */
@NullMarked
package io.ringmaster.server.door;

import org.jspecify.annotations.NullMarked;
