/** The messages of the REST API that are not records of the model. */
@NullMarked
package io.ringmaster.wire.api;

import org.jspecify.annotations.NullMarked;
