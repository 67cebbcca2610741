/** The server of one datacenter: creates, starts and stops its parts. */
@NullMarked
package io.ringmaster.server;

import org.jspecify.annotations.NullMarked;
