/** The server's catalogue of operations as commands: a new operation needs nothing here. */
@NullMarked
package io.ringmaster.cli.operation;

import org.jspecify.annotations.NullMarked;
