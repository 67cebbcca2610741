/** The program that {@code ./ringmaster} starts: the product's commands, the CQL shell and the playground together. */
@NullMarked
package io.ringmaster.launcher;

import org.jspecify.annotations.NullMarked;
