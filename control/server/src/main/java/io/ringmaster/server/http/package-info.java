/** The REST API: routes, access and forwarding to the leader. */
@NullMarked
package io.ringmaster.server.http;

import org.jspecify.annotations.NullMarked;
