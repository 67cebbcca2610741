/** Logins and roles: what Cassandra loads instead of its own classes, and how declared roles are written. */
@NullMarked
package io.ringmaster.companion.access;

import org.jspecify.annotations.NullMarked;
