/** The settings of the pool. */
@NullMarked
package io.ringmaster.pool.mesos.config;

import org.jspecify.annotations.NullMarked;
