/** The messages of the REST API, where the domain's own records are not what people should see. */
@NullMarked
package io.ringmaster.wire.api;

import org.jspecify.annotations.NullMarked;
