/** Who the caller of a request is: API tokens, the token file, and the limits for wrong ones. */
@NullMarked
package io.ringmaster.server.access;

import org.jspecify.annotations.NullMarked;
