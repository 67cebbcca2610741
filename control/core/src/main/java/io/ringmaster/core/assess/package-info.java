/** What a change would do to a cluster: data moved, ownership, replicas, room on machines, and what is not supported. */
@NullMarked
package io.ringmaster.core.assess;

import org.jspecify.annotations.NullMarked;
