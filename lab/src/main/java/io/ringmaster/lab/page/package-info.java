/** The page of an experiment: tables, plots, and the Markdown around them. Pure, but for the program that draws the plots. */
@NullMarked
package io.ringmaster.lab.page;

import org.jspecify.annotations.NullMarked;
