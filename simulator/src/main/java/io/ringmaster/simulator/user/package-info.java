/** People: those who declare, change and operate clusters during a run, and the operator who repairs at its end. */
@NullMarked
package io.ringmaster.simulator.user;

import org.jspecify.annotations.NullMarked;
