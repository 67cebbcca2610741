/** A small CQL shell on the Java driver. */
@NullMarked
package io.ringmaster.cli.cql;

import org.jspecify.annotations.NullMarked;
