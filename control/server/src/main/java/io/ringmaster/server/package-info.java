/** The server of one datacenter: puts the parts together, starts and stops them. */
@NullMarked
package io.ringmaster.server;

import org.jspecify.annotations.NullMarked;
