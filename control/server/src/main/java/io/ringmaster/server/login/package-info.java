/** Sessions of the page: one-time codes that open them, and the signed cookie together with the key that prove one. */
@NullMarked
package io.ringmaster.server.login;

import org.jspecify.annotations.NullMarked;
