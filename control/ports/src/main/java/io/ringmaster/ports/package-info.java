/**
 * The interfaces between the controller and its environment. Calls return at once and are idempotent; results arrive
 * as {@link io.ringmaster.model.fact.Fact}s. Every adapter passes the contract test of its port, in this module's
 * test jar.
 */
@NullMarked
package io.ringmaster.ports;

import org.jspecify.annotations.NullMarked;
