/** The client of the REST API, for the command line and between servers. */
@NullMarked
package io.ringmaster.wire.client;

import org.jspecify.annotations.NullMarked;
