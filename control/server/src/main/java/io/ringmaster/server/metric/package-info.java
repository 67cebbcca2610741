/** The metrics of the server and its datacenter. */
@NullMarked
package io.ringmaster.server.metric;

import org.jspecify.annotations.NullMarked;
