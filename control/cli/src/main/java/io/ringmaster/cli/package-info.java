/** The command line: the root command and the assembly of commands. */
@NullMarked
package io.ringmaster.cli;

import org.jspecify.annotations.NullMarked;
