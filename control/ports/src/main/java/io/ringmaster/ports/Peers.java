package io.ringmaster.ports;

import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.name.DatacenterName;
import java.util.Set;

/** The other datacenters' servers. Exchanges reports from time to time and at once when {@link #publish} brings a new one. */
public interface Peers extends AutoCloseable {
    void start(FactSink facts);

    /** The datacenters that are configured or have introduced themselves. */
    Set<DatacenterName> known();

    /** What this datacenter now says of itself. */
    void publish(DatacenterReport own);

    @Override
    void close();
}
