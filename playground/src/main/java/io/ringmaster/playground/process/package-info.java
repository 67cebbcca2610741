/** Finds and ends the processes of a playground. */
@NullMarked
package io.ringmaster.playground.process;

import org.jspecify.annotations.NullMarked;
