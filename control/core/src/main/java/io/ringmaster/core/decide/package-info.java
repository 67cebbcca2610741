/** The decisions of one server on a view: submitted specs and operations, merged peers, reports, retention. No I/O. */
@NullMarked
package io.ringmaster.core.decide;

import org.jspecify.annotations.NullMarked;
