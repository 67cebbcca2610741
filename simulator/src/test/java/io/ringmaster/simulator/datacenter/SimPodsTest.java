package io.ringmaster.simulator.datacenter;

import io.ringmaster.simulator.world.PoolKind;

class SimPodsTest extends SimPoolContract {
    SimPodsTest() {
        super(PoolKind.PODS);
    }
}
