@NullMarked
package io.ringmaster.pool.mesos.picture;

import org.jspecify.annotations.NullMarked;
