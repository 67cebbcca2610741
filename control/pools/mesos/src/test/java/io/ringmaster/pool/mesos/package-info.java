@NullMarked
package io.ringmaster.pool.mesos;

import org.jspecify.annotations.NullMarked;
