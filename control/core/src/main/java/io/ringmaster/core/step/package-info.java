/**
 * The steps that plans consist of, one record each. A step concerns one node, one datacenter or the whole cluster,
 * and decides from a view what to do next.
 */
@NullMarked
package io.ringmaster.core.step;

import org.jspecify.annotations.NullMarked;
