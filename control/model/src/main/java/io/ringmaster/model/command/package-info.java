/**
 * Commands to the outside. Every command is idempotent. Targets carry a generation, and executors refuse older ones.
 */
@NullMarked
package io.ringmaster.model.command;

import org.jspecify.annotations.NullMarked;
