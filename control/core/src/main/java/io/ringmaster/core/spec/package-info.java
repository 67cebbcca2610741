/** Specs: from YAML text to a spec, or to problems that name the field; differences between specs and their effects. */
@NullMarked
package io.ringmaster.core.spec;

import org.jspecify.annotations.NullMarked;
