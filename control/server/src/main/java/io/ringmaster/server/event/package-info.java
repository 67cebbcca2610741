/** The event stream and what of it is kept for those who reconnect. */
@NullMarked
package io.ringmaster.server.event;

import org.jspecify.annotations.NullMarked;
