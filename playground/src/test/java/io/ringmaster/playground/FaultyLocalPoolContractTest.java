package io.ringmaster.playground;

import io.ringmaster.pool.local.LocalPoolTest;
import io.ringmaster.ports.Pool;

/** While no machine is killed, it keeps the contract of the pool that it wraps. */
class FaultyLocalPoolContractTest extends LocalPoolTest {
    @Override
    protected Pool open() {
        return new FaultyLocalPool(super.open(), state);
    }
}
