package io.ringmaster.model.fact;

import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.record.DatacenterReport;
import java.util.List;
import java.util.Map;

/** An observation. Facts may arrive late, twice or out of order; each carries the whole state of its subject. */
public sealed interface Fact {
    void accept(Handler handler);

    /** One method for each kind of fact, so that a forgotten one does not compile. */
    interface Handler {
        void poolSeen(PoolSeen fact);

        void poolUnavailable(PoolUnavailable fact);

        void machineChanged(MachineChanged fact);

        void allocationChanged(AllocationChanged fact);

        void allocationGone(AllocationGone fact);

        void nodeReported(NodeReported fact);

        void nodeSilent(NodeSilent fact);

        void peerReported(PeerReported fact);

        void peerSilent(PeerSilent fact);

        void authorityMade(AuthorityMade fact);
    }

    /**
     * Everything the pool has; sent at the start and from time to time. An allocation that is absent does not exist.
     *
     * @param revision the highest revision in this report; later reports about single things have higher ones
     * @param warnings what the pool cannot do for a cluster, while its allocations run
     */
    record PoolSeen(
            List<Machine> machines,
            List<AllocationState> allocations,
            PoolCapabilities capabilities,
            long revision,
            Map<ClusterName, Problem> warnings)
            implements Fact {
        public PoolSeen {
            machines = List.copyOf(machines);
            allocations = List.copyOf(allocations);
            warnings = Map.copyOf(warnings);
        }

        /** Without warnings. */
        public PoolSeen(
                List<Machine> machines,
                List<AllocationState> allocations,
                PoolCapabilities capabilities,
                long revision) {
            this(machines, allocations, capabilities, revision, Map.of());
        }

        @Override
        public void accept(Handler handler) {
            handler.poolSeen(this);
        }
    }

    /** The pool cannot be asked now. The next pool may count its revisions from the start. */
    record PoolUnavailable(String reason) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.poolUnavailable(this);
        }
    }

    /** One machine is new or changed. Only {@link PoolSeen} says that a machine is gone. */
    record MachineChanged(Machine machine, long revision) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.machineChanged(this);
        }
    }

    /** One allocation changed. */
    record AllocationChanged(AllocationState state) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.allocationChanged(this);
        }
    }

    /** An allocation is gone, volume and all. */
    record AllocationGone(AllocationId allocation, long revision) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.allocationGone(this);
        }
    }

    /** An executor answered. */
    record NodeReported(NodeStatus status) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.nodeReported(this);
        }
    }

    /** An executor does not answer. */
    record NodeSilent(NodeId node, String reason) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.nodeSilent(this);
        }
    }

    /** A peer datacenter answered. */
    record PeerReported(DatacenterReport report) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.peerReported(this);
        }
    }

    /** A peer datacenter does not answer. */
    record PeerSilent(DatacenterName datacenter, String reason) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.peerSilent(this);
        }
    }

    /** This server has the key of an authority. */
    record AuthorityMade(AuthorityName authority, CertificatePem certificate) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.authorityMade(this);
        }
    }
}
