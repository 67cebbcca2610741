/** Stable error codes. */
@NullMarked
package io.ringmaster.model.error;

import org.jspecify.annotations.NullMarked;
