/** A load of reads and writes beside an operation, by the load generator. */
@NullMarked
package io.ringmaster.cli.load;

import org.jspecify.annotations.NullMarked;
