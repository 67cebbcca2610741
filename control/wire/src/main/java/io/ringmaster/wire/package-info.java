/**
 * Messages and clients of the REST API and of the executors. {@code api/openapi.yaml} is the contract of the REST API.
 */
@NullMarked
package io.ringmaster.wire;

import org.jspecify.annotations.NullMarked;
