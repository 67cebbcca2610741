/** The commands against a played API server. */
@NullMarked
package io.ringmaster.pool.kubernetes.command;

import org.jspecify.annotations.NullMarked;
