/** Rows that deletions of partitions and ranges shadow: they are in records of their own, which no compaction sees together. */
@NullMarked
package io.ringmaster.engine.sweep;

import org.jspecify.annotations.NullMarked;
