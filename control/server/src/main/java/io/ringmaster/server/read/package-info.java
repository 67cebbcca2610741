/** Answers to reads: from the view of this datacenter, and gathered from the others. */
@NullMarked
package io.ringmaster.server.read;

import org.jspecify.annotations.NullMarked;
