/** A refused HTTP request as an exception, with its problem document. */
@NullMarked
package io.ringmaster.server.refusal;

import org.jspecify.annotations.NullMarked;
