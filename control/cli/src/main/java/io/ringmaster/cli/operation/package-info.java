/** The server's catalogue of operations as commands: a new operation needs no code here. */
@NullMarked
package io.ringmaster.cli.operation;

import org.jspecify.annotations.NullMarked;
