/** The event stream and its last events, which clients read after they reconnect. */
@NullMarked
package io.ringmaster.server.event;

import org.jspecify.annotations.NullMarked;
