package io.ringmaster.model.fleet;

/** Ports {@code first} to {@code last}, both included. */
public record PortRange(int first, int last) {
    public PortRange {
        if (first < 1 || last > 65535 || first > last) {
            throw new IllegalArgumentException("port range " + first + "-" + last + " must lie in 1-65535");
        }
    }

    public boolean contains(int port) {
        return port >= first && port <= last;
    }
}
