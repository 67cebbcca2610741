/** One JSON form of the model, for store, wire and executor alike. */
@NullMarked
package io.ringmaster.json;

import org.jspecify.annotations.NullMarked;
