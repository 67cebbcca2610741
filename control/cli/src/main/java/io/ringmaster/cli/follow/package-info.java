/** Follows plans until they are over. */
@NullMarked
package io.ringmaster.cli.follow;

import org.jspecify.annotations.NullMarked;
