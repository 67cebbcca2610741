/** The commands, noun then verb; each talks to a server or to the playground, and prints. */
@NullMarked
package io.ringmaster.cli.command;

import org.jspecify.annotations.NullMarked;
