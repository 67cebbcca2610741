/** Who may do what: roles, the clusters that they extend to, and the caller of a request. */
@NullMarked
package io.ringmaster.model.access;

import org.jspecify.annotations.NullMarked;
