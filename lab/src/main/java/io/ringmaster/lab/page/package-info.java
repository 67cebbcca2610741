/** The page of an experiment: tables, plots, and the Markdown around them. Pure, but for {@code PlotProgram}. */
@NullMarked
package io.ringmaster.lab.page;

import org.jspecify.annotations.NullMarked;
