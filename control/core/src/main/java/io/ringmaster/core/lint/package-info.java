/** The rules that every plan follows, checked before a plan is stored. */
@NullMarked
package io.ringmaster.core.lint;

import org.jspecify.annotations.NullMarked;
