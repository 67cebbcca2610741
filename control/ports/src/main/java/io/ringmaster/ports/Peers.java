package io.ringmaster.ports;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.DatacenterReport;
import java.util.Set;

/** The servers of the other datacenters. Exchanges reports periodically, and at once after {@link #publish}. */
public interface Peers extends AutoCloseable {
    void start(FactSink facts);

    /** The datacenters that are configured or have introduced themselves. */
    Set<DatacenterName> known();

    /** Replaces this datacenter's own report. */
    void publish(DatacenterReport own);

    @Override
    void close();
}
