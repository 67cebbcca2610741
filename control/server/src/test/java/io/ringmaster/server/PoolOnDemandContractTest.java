package io.ringmaster.server;

import io.ringmaster.ports.Pool;
import io.ringmaster.server.fake.FakePoolTest;

/** A pool that is open only while its server leads keeps the contract of the one that it opens. */
class PoolOnDemandContractTest extends FakePoolTest {
    @Override
    protected Pool open() {
        return new PoolOnDemand(super::open);
    }
}
