/** The locations of backups, and the backups that are there. */
@NullMarked
package io.ringmaster.server.backup;

import org.jspecify.annotations.NullMarked;
