package io.ringmaster.model.node;

/**
 * A superuser that a node makes for a time.
 *
 * @param hash bcrypt of its password
 */
public record LoginOrder(String role, String hash, long seconds) {
    /** Without the hash, which must not reach a log. */
    @Override
    public String toString() {
        return "login " + role;
    }
}
