/** What the server measures of itself and its datacenter. */
@NullMarked
package io.ringmaster.server.metric;

import org.jspecify.annotations.NullMarked;
