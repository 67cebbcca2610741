/** Where a node's parts come from, with Maven and directories as users have them. */
@NullMarked
package io.ringmaster.pool.local.binaries;

import org.jspecify.annotations.NullMarked;
