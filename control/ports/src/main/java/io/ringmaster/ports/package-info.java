/**
 * What the controller needs of the outside. Calls return at once and are idempotent; what came of them arrives as
 * {@link io.ringmaster.model.fact.Fact}s. Each adapter passes the contract test of its port, in this module's test jar.
 */
@NullMarked
package io.ringmaster.ports;

import org.jspecify.annotations.NullMarked;
