/** From YAML text to a spec, or a problem that names the field. */
@NullMarked
package io.ringmaster.core.spec;

import org.jspecify.annotations.NullMarked;
