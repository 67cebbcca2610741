/** The JSON form of the model for the store, the wire and the executor. */
@NullMarked
package io.ringmaster.json;

import org.jspecify.annotations.NullMarked;
