/** Typed names: what a user calls things. A wrong name fails when it is made, never later. */
@NullMarked
package io.ringmaster.model.name;

import org.jspecify.annotations.NullMarked;
