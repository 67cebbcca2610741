/** Checks of this computer, one small file each. */
@NullMarked
package io.ringmaster.cli.doctor;

import org.jspecify.annotations.NullMarked;
