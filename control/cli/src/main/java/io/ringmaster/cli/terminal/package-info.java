/** Abilities of the terminal, and output to it. */
@NullMarked
package io.ringmaster.cli.terminal;

import org.jspecify.annotations.NullMarked;
