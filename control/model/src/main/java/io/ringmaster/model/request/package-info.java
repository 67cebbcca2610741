/** Operations that users request beyond the spec: restarts, repairs, clean-ups. */
@NullMarked
package io.ringmaster.model.request;

import org.jspecify.annotations.NullMarked;
