/** Pure rendering: values in, lines out. */
@NullMarked
package io.ringmaster.cli.screen;

import org.jspecify.annotations.NullMarked;
