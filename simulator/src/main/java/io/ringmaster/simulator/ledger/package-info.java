/**
 * The ledger: where the rows of a cluster are, by a calculation of replicas of its own. It knows nothing of the
 * controller and of what the controller records.
 */
@NullMarked
package io.ringmaster.simulator.ledger;

import org.jspecify.annotations.NullMarked;
