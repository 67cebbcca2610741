/**
 * Changes of clusters and requests for operations: checked with the affected datacenters, then passed to the
 * controller.
 */
@NullMarked
package io.ringmaster.server.change;

import org.jspecify.annotations.NullMarked;
