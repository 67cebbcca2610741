/** The effect of a change on a cluster: data moved, ownership, replicas, room on machines, and unsupported changes. */
@NullMarked
package io.ringmaster.core.assess;

import org.jspecify.annotations.NullMarked;
