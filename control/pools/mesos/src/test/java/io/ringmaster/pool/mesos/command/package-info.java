@NullMarked
package io.ringmaster.pool.mesos.command;

import org.jspecify.annotations.NullMarked;
