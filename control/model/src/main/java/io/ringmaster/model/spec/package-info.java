/** Clusters as users declare them. */
@NullMarked
package io.ringmaster.model.spec;

import org.jspecify.annotations.NullMarked;
