/** The settings of the pool. */
@NullMarked
package io.ringmaster.pool.kubernetes.config;

import org.jspecify.annotations.NullMarked;
