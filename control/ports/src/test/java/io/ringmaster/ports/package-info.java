/** Contract tests: each adapter of a port extends the one of its port. */
@NullMarked
package io.ringmaster.ports;

import org.jspecify.annotations.NullMarked;
