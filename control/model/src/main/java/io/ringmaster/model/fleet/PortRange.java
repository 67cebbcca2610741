package io.ringmaster.model.fleet;

/** The ports {@code first} to {@code last}, both included. */
public record PortRange(int first, int last) {
    public PortRange {
        if (first < 1 || last > 65535 || first > last) {
            throw new IllegalArgumentException("port range " + first + "-" + last + " must be within 1-65535");
        }
    }

    public boolean contains(int port) {
        return port >= first && port <= last;
    }
}
