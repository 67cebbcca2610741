package io.ringmaster.ports;

/**
 * A door: the files by which an executor proves who it is, and knows the servers that it obeys.
 *
 * @param identity {@value #DOOR}: its private key, then the certificate of that
 * @param servers {@value #SERVERS}: the authorities of the servers
 */
public record DoorFiles(String identity, String servers) {
    public static final String DOOR = "door.pem";
    public static final String SERVERS = "servers.pem";

    /** Without the key, which must not reach a log. */
    @Override
    public String toString() {
        return "door ***";
    }
}
