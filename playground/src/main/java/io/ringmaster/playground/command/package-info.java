/** The commands {@code playground} and {@code doctor}. */
@NullMarked
package io.ringmaster.playground.command;

import org.jspecify.annotations.NullMarked;
