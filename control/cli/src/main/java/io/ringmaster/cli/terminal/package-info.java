/** What the terminal can do, and drawing on it. */
@NullMarked
package io.ringmaster.cli.terminal;

import org.jspecify.annotations.NullMarked;
