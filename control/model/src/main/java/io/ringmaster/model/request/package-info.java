/** What users ask of a cluster beyond its spec: restarts, repairs, clean-ups. */
@NullMarked
package io.ringmaster.model.request;

import org.jspecify.annotations.NullMarked;
