package io.ringmaster.wire.client;

import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import java.util.Locale;
import java.util.Optional;

/**
 * The header by which a server names the rights of the caller for which it forwards a request; the caller's name is in
 * {@code Ringmaster-User}. It counts only together with the token of the servers.
 */
public final class PrincipalHeader {
    public static final String NAME = "Ringmaster-Principal";

    private PrincipalHeader() {}

    public static String write(Principal principal) {
        return String.join(
                " ",
                principal.role().label(),
                principal.clusters().value(),
                principal.credential(),
                principal.address());
    }

    /** The caller with this name; empty if the header is malformed. */
    public static Optional<Principal> read(String header, String name) {
        String[] parts = header.split(" ", -1);
        if (parts.length != 4) {
            return Optional.empty();
        }
        try {
            Role role = Role.valueOf(parts[0].toUpperCase(Locale.ROOT));
            return Optional.of(new Principal(name, role, new ClusterPattern(parts[1]), parts[2], parts[3]));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
