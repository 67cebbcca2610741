/** The REST API: routes, who may call, how refusals look. */
@NullMarked
package io.ringmaster.server.http;

import org.jspecify.annotations.NullMarked;
