/** The server's own settings, checked field by field. */
@NullMarked
package io.ringmaster.server.config;

import org.jspecify.annotations.NullMarked;
