/** Checks of this computer, one file each. */
@NullMarked
package io.ringmaster.playground.doctor;

import org.jspecify.annotations.NullMarked;
