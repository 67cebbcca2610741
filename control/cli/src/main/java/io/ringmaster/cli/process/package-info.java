/** Processes of Ringmaster's other programs. */
@NullMarked
package io.ringmaster.cli.process;

import org.jspecify.annotations.NullMarked;
