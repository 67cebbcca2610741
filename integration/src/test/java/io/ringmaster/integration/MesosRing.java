package io.ringmaster.integration;

import io.ringmaster.pool.mesos.MesosTestbed;
import java.util.Map;

/** On three agents of a real Mesos. */
final class MesosRing extends PoolRing {
    final MesosTestbed mesos;

    private MesosRing(MesosTestbed mesos) {
        super(() -> PoolServer.onMesos(NAME, 8080), "", mesos::close);
        this.mesos = mesos;
    }

    static MesosRing up() {
        return new MesosRing(MesosTestbed.up());
    }

    @Override
    Map<String, String> launches() {
        return mesos.tasks();
    }
}
