package io.ringmaster.pool.mesos.api;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.PoolRecords;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The id of the framework. The pool chooses it, as Mesos allows, so that it is in the store before the master knows it:
 * no task ever runs under an id that the next server does not find.
 */
public final class FrameworkId {
    private static final String RECORD = "mesos.framework-id";

    private final PoolRecords records;
    private final DatacenterName datacenter;
    private volatile String id;

    /** The id in the store; one that is not in it yet otherwise. */
    public FrameworkId(PoolRecords records, DatacenterName datacenter) {
        this.records = records;
        this.datacenter = datacenter;
        id = records.get(RECORD)
                .map(stored -> new String(stored, StandardCharsets.UTF_8))
                .orElseGet(() -> choose(datacenter));
    }

    private static String choose(DatacenterName datacenter) {
        return "ringmaster-" + datacenter + "-" + UUID.randomUUID();
    }

    /**
     * Stores the id before a subscription, each time: the store refuses a former leader, who must not push away the
     * subscription of the present one.
     *
     * @throws io.ringmaster.ports.StaleEpochException another server leads
     * @throws io.ringmaster.ports.StoreUnavailableException the store did not answer
     */
    String stored() {
        String now = id;
        records.put(RECORD, now.getBytes(StandardCharsets.UTF_8));
        return now;
    }

    /** Mesos has removed this framework, and accepts its id no more. */
    public void replace() {
        id = choose(datacenter);
    }

    @Override
    public String toString() {
        return id;
    }
}
