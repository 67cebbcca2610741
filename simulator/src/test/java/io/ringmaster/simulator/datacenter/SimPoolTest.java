package io.ringmaster.simulator.datacenter;

import io.ringmaster.simulator.world.PoolKind;

class SimPoolTest extends SimPoolContract {
    SimPoolTest() {
        super(PoolKind.FIXED);
    }
}
