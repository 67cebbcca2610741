/** The target and the last status of the node, which the API and the supervisor share; how records are read. */
@NullMarked
package io.ringmaster.executor.state;

import org.jspecify.annotations.NullMarked;
