package io.ringmaster.model.record;

import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.name.TokenId;

/**
 * The identity of a stored record; the store keeps one record per key. A new kind of record needs a method in {@link
 * Handler}.
 */
public sealed interface RecordKey {
    /** Where the store keeps the record, such as {@code nodes/rides/dc1/node-0}; the first segment names the kind. */
    String path();

    void accept(Handler handler);

    /** One method for each kind of record, so that a forgotten one does not compile. */
    interface Handler {
        void cluster(OfCluster key);

        void spec(OfSpec key);

        void node(OfNode key);

        void plan(OfPlan key);

        void request(OfRequest key);

        void peer(OfPeer key);

        void audit(OfAudit key);

        void cordon(OfCordon key);

        void token(OfToken key);

        void authority(OfAuthority key);
    }

    record OfCluster(ClusterName cluster) implements RecordKey {
        @Override
        public String path() {
            return "clusters/" + cluster;
        }

        @Override
        public void accept(Handler handler) {
            handler.cluster(this);
        }
    }

    record OfSpec(ClusterName cluster, long version) implements RecordKey {
        @Override
        public String path() {
            return "specs/" + cluster + "/" + version;
        }

        @Override
        public void accept(Handler handler) {
            handler.spec(this);
        }
    }

    record OfNode(NodeId node) implements RecordKey {
        @Override
        public String path() {
            return "nodes/" + node;
        }

        @Override
        public void accept(Handler handler) {
            handler.node(this);
        }
    }

    record OfPlan(PlanId plan) implements RecordKey {
        @Override
        public String path() {
            return "plans/" + plan;
        }

        @Override
        public void accept(Handler handler) {
            handler.plan(this);
        }
    }

    record OfRequest(RequestId request) implements RecordKey {
        @Override
        public String path() {
            return "requests/" + request;
        }

        @Override
        public void accept(Handler handler) {
            handler.request(this);
        }
    }

    record OfPeer(DatacenterName datacenter) implements RecordKey {
        @Override
        public String path() {
            return "peers/" + datacenter;
        }

        @Override
        public void accept(Handler handler) {
            handler.peer(this);
        }
    }

    record OfAudit(long number) implements RecordKey {
        @Override
        public String path() {
            return "audit/" + number;
        }

        @Override
        public void accept(Handler handler) {
            handler.audit(this);
        }
    }

    record OfCordon(MachineName machine) implements RecordKey {
        @Override
        public String path() {
            return "cordons/" + machine;
        }

        @Override
        public void accept(Handler handler) {
            handler.cordon(this);
        }
    }

    record OfToken(TokenId token) implements RecordKey {
        @Override
        public String path() {
            return "tokens/" + token;
        }

        @Override
        public void accept(Handler handler) {
            handler.token(this);
        }
    }

    record OfAuthority(AuthorityName authority) implements RecordKey {
        @Override
        public String path() {
            return "authorities/" + authority.fileName();
        }

        @Override
        public void accept(Handler handler) {
            handler.authority(this);
        }
    }
}
