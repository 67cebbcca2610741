@NullMarked
package io.ringmaster.pool.mesos.api;

import org.jspecify.annotations.NullMarked;
