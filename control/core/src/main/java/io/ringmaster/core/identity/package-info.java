/** Certificate authorities and certificates of nodes: which are made, which are trusted, which are due. */
@NullMarked
package io.ringmaster.core.identity;

import org.jspecify.annotations.NullMarked;
