/** One file for each experiment, and their table. */
@NullMarked
package io.ringmaster.lab.experiment;

import org.jspecify.annotations.NullMarked;
