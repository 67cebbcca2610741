/** Where a store of backups is, and with which credentials it is opened. */
@NullMarked
package io.ringmaster.backup.location;

import org.jspecify.annotations.NullMarked;
