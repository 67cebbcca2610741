/** Files of a node as pieces that are named by their hashes. */
@NullMarked
package io.ringmaster.backup.slice;

import org.jspecify.annotations.NullMarked;
