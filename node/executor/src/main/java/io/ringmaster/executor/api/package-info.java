/** The executor's HTTP API. */
@NullMarked
package io.ringmaster.executor.api;

import org.jspecify.annotations.NullMarked;
