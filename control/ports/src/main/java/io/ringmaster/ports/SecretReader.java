package io.ringmaster.ports;

import io.ringmaster.model.access.Secret;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.spec.SecretKeyRef;

/** Reads passwords out of Secrets of the platform that a pool runs on. */
@FunctionalInterface
public interface SecretReader {
    /**
     * The password that a key holds, without white space around it. A Secret must be allowed for the cluster, so that
     * an admin of one cluster does not get the passwords of another. Asks the platform at each call, and may take some
     * seconds.
     *
     * @throws UnreadableSecretException it is missing, not allowed, or no password
     */
    Secret read(ClusterName cluster, SecretKeyRef ref) throws UnreadableSecretException;
}
