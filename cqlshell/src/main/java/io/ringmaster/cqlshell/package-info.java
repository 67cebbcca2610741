/** A small CQL shell on the Java driver, and its command {@code cql}. */
@NullMarked
package io.ringmaster.cqlshell;

import org.jspecify.annotations.NullMarked;
