/** The command line. */
@NullMarked
package io.ringmaster.cli;

import org.jspecify.annotations.NullMarked;
