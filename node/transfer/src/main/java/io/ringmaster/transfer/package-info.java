/** The program that the executor starts for each piece of work on a backup: it alone moves the bytes of a node. */
@NullMarked
package io.ringmaster.transfer;

import org.jspecify.annotations.NullMarked;
