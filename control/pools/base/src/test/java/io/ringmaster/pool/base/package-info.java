@NullMarked
package io.ringmaster.pool.base;

import org.jspecify.annotations.NullMarked;
