/** What this computer is and how busy it is, from /proc. */
@NullMarked
package io.ringmaster.lab.machine;

import org.jspecify.annotations.NullMarked;
