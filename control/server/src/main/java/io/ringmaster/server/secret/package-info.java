/** Passwords that specs name and do not hold. */
@NullMarked
package io.ringmaster.server.secret;

import org.jspecify.annotations.NullMarked;
