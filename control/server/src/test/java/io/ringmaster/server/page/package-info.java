/** Servers for the tests of the page in a browser. */
@NullMarked
package io.ringmaster.server.page;

import org.jspecify.annotations.NullMarked;
