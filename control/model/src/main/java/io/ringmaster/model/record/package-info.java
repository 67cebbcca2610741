/** What is persisted. Everything a new leader needs stands in these. */
@NullMarked
package io.ringmaster.model.record;

import org.jspecify.annotations.NullMarked;
