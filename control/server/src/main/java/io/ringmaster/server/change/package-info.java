/** Changes of clusters and plans: checked with the datacenters concerned, then given to the controller. */
@NullMarked
package io.ringmaster.server.change;

import org.jspecify.annotations.NullMarked;
