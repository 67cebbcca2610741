/** Typed names. An invalid name fails when it is created, never later. */
@NullMarked
package io.ringmaster.model.name;

import org.jspecify.annotations.NullMarked;
