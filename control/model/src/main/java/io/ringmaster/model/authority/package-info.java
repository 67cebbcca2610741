/** Certificate authorities and certificates as the domain names them. */
@NullMarked
package io.ringmaster.model.authority;

import org.jspecify.annotations.NullMarked;
