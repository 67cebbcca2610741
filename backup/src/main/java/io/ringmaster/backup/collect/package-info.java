/** Deletes backups, and the blobs that no backup names any more. */
@NullMarked
package io.ringmaster.backup.collect;

import org.jspecify.annotations.NullMarked;
