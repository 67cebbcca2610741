/** Initial tokens, unique across datacenters. */
@NullMarked
package io.ringmaster.core.tokens;

import org.jspecify.annotations.NullMarked;
