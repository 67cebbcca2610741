/** What a repository of backups holds: its keys, its documents, and how they are read. */
@NullMarked
package io.ringmaster.backup.repository;

import org.jspecify.annotations.NullMarked;
