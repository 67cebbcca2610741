/** Figures of an experiment as they are stored: values with their units, series for plots, and what is said of them. */
@NullMarked
package io.ringmaster.lab.figure;

import org.jspecify.annotations.NullMarked;
