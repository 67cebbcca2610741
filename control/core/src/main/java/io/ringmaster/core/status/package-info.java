/** The status of clusters, for people: what is wrong and what to do. */
@NullMarked
package io.ringmaster.core.status;

import org.jspecify.annotations.NullMarked;
