/** Shared by all commands: output format, server, exit codes, errors, common options. */
@NullMarked
package io.ringmaster.cli.session;

import org.jspecify.annotations.NullMarked;
