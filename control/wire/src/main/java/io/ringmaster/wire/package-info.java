/** What travels between servers, command line, executors and people, and the clients that carry it. {@code api/openapi.yaml} is the contract. */
@NullMarked
package io.ringmaster.wire;

import org.jspecify.annotations.NullMarked;
