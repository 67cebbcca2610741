package io.ringmaster.companion.access;

/** Roles of a new cluster have no replicas in its datacenters yet. */
public final class NotReplicatedException extends Exception {
    private static final long serialVersionUID = 1;

    NotReplicatedException() {
        super("the roles of this cluster are not replicated yet; log in once its plan has written them");
    }
}
