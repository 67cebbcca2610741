package io.ringmaster.model.command;

import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to the pool or to an executor. Its result comes as a fact; until then the same command may be sent again.
 */
public sealed interface Command {
    void accept(Handler handler);

    /** Travels with the epoch of its leader, so that a pool can refuse the commands of an earlier leader. */
    sealed interface ToPool extends Command {}

    /** By the generation of a target, or the key of a certificate, an executor refuses a late one. */
    sealed interface ToExecutor extends Command {}

    /** One method for each kind of command, so that a forgotten one does not compile. */
    interface Handler {
        void reserve(Reserve command);

        void launch(Launch command);

        void relaunch(Relaunch command);

        void kill(Kill command);

        void release(Release command);

        void apply(Apply command);

        void watch(Watch command);

        void forget(Forget command);

        void makeAuthority(MakeAuthority command);

        void certify(Certify command);
    }

    /**
     * To the pool: reserve room on the machine and make the volume. A pool that resizes in place also changes the
     * resources of a running allocation.
     */
    record Reserve(Allocation allocation) implements ToPool {
        @Override
        public void accept(Handler handler) {
            handler.reserve(this);
        }
    }

    /**
     * To the pool: fetch the binaries of this Cassandra version and start the executor in its allocation. A running
     * executor is adopted and not restarted. The executor starts without a target; {@link Apply} delivers it.
     *
     * @param generation of the node's record when this was decided
     */
    record Launch(Allocation allocation, String cassandraVersion, long generation) implements ToPool {
        @Override
        public void accept(Handler handler) {
            handler.launch(this);
        }
    }

    /**
     * To the pool: stop the processes of the allocation as {@link Kill} does, and launch it again with these resources
     * and this Cassandra version. The pool relaunches once for each generation, and again only if the launch failed.
     *
     * @param generation grows with each decision; a pool ignores one that is not newer than its last launch
     */
    record Relaunch(Allocation allocation, String cassandraVersion, long generation) implements ToPool {
        @Override
        public void accept(Handler handler) {
            handler.relaunch(this);
        }
    }

    /** To the pool: stop the executor and the daemon. The daemon gets time to drain and is then killed. */
    record Kill(AllocationId allocation) implements ToPool {
        @Override
        public void accept(Handler handler) {
            handler.kill(this);
        }
    }

    /** To the pool: release the allocation. {@code destroyVolume} only when a user explicitly asked for it. */
    record Release(AllocationId allocation, boolean destroyVolume) implements ToPool {
        @Override
        public void accept(Handler handler) {
            handler.release(this);
        }
    }

    /**
     * To the executor: reach this target.
     *
     * @param onlyWhileDown whether the executor refuses the target while its daemon runs
     */
    record Apply(Allocation allocation, NodeTarget target, boolean onlyWhileDown) implements ToExecutor {
        public Apply(Allocation allocation, NodeTarget target) {
            this(allocation, target, false);
        }

        @Override
        public void accept(Handler handler) {
            handler.apply(this);
        }
    }

    /** To the executor client: report this node from now on; after a start, every launched node. */
    record Watch(NodeId node, Allocation allocation) implements ToExecutor {
        @Override
        public void accept(Handler handler) {
            handler.watch(this);
        }
    }

    /** To the executor client: stop reporting this node. */
    record Forget(NodeId node) implements ToExecutor {
        @Override
        public void accept(Handler handler) {
            handler.forget(this);
        }
    }

    /**
     * To the server's own authorities: make this one, or one with a higher number, unless it exists, and report its
     * certificate.
     *
     * @param isNew whether the cluster starts now, and no authority that a former server has left is its own. Otherwise
     *     the store of this datacenter was lost, and the other nodes trust the newest authority here
     */
    record MakeAuthority(AuthorityName authority, boolean isNew) implements Command {
        public MakeAuthority(AuthorityName authority) {
            this(authority, true);
        }

        @Override
        public void accept(Handler handler) {
            handler.makeAuthority(this);
        }
    }

    /**
     * To the executor: use certificates for its next key from now on. Repeated, it fails harmlessly, because that key
     * is in use by then.
     *
     * @param publicKey as the executor reported it
     * @param profile of its certificate to other nodes, or null while it keeps its own
     * @param trust the authorities of all nodes that it talks to
     * @param cql its certificate to CQL clients, or null while it keeps its own or needs none
     * @param together whether the executor is of a release that takes both certificates or neither
     */
    record Certify(
            NodeId node,
            Allocation allocation,
            PublicKeyPem publicKey,
            @Nullable LeafProfile profile,
            List<CertificatePem> trust,
            @Nullable CqlLeaf cql,
            boolean together)
            implements ToExecutor {
        public Certify {
            trust = List.copyOf(trust);
        }

        @Override
        public void accept(Handler handler) {
            handler.certify(this);
        }

        /** @param authority the certificate of the authority in the profile */
        public record CqlLeaf(LeafProfile profile, CertificatePem authority) {}
    }
}
