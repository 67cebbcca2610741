/** The commands that change objects of the cluster. */
@NullMarked
package io.ringmaster.pool.kubernetes.command;

import org.jspecify.annotations.NullMarked;
