/** Where backups are kept: the port, a folder, and S3. */
@NullMarked
package io.ringmaster.backup.store;

import org.jspecify.annotations.NullMarked;
