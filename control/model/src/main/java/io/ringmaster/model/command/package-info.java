/** What is asked of the outside. Every command is idempotent and carries a generation where order matters. */
@NullMarked
package io.ringmaster.model.command;

import org.jspecify.annotations.NullMarked;
