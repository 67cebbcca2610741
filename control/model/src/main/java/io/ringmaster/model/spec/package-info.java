/** The cluster as its user declared it. */
@NullMarked
package io.ringmaster.model.spec;

import org.jspecify.annotations.NullMarked;
