/** The vocabulary: immutable values, no behaviour that touches the outside. Depends on the JDK alone. */
@NullMarked
package io.ringmaster.model;

import org.jspecify.annotations.NullMarked;
