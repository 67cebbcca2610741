/** Refusals of HTTP requests as exceptions with their problems and HTTP status. */
@NullMarked
package io.ringmaster.server.refusal;

import org.jspecify.annotations.NullMarked;
