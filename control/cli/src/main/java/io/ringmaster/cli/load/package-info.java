/** A load of reads and writes beside an operation. */
@NullMarked
package io.ringmaster.cli.load;

import org.jspecify.annotations.NullMarked;
