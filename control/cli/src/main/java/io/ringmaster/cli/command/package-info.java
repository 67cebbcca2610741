/** The commands, noun then verb. Each calls the server and prints the answer. */
@NullMarked
package io.ringmaster.cli.command;

import org.jspecify.annotations.NullMarked;
