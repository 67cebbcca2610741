/** The vocabulary of the domain: immutable values without access to the outside. Depends on the JDK alone. */
@NullMarked
package io.ringmaster.model;

import org.jspecify.annotations.NullMarked;
