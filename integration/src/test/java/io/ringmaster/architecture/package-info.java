/** What the modules may know of each other. */
@NullMarked
package io.ringmaster.architecture;

import org.jspecify.annotations.NullMarked;
