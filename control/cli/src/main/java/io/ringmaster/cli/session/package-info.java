/** What every command has in common: output form, server, exit codes, errors. */
@NullMarked
package io.ringmaster.cli.session;

import org.jspecify.annotations.NullMarked;
