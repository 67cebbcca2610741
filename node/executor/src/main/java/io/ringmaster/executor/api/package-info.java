/** What the executor answers over HTTP. */
@NullMarked
package io.ringmaster.executor.api;

import org.jspecify.annotations.NullMarked;
