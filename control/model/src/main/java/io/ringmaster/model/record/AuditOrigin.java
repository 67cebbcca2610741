package io.ringmaster.model.record;

import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import org.jspecify.annotations.Nullable;

/**
 * Where an audited request came from, and by which right.
 *
 * @param credential see {@link Principal#credential}; null for a caller that was not authenticated
 * @param role null for a caller that was not authenticated
 * @param address the IP address that the request came from
 * @param refused the HTTP status of a request that was refused; null for one that was carried out
 */
public record AuditOrigin(@Nullable String credential, @Nullable Role role, String address, @Nullable Integer refused) {
    public static AuditOrigin of(Principal principal) {
        return new AuditOrigin(principal.credential(), principal.role(), principal.address(), null);
    }

    /** @param principal null if the caller was not authenticated */
    public static AuditOrigin refused(@Nullable Principal principal, String address, int status) {
        return principal == null
                ? new AuditOrigin(null, null, address, status)
                : new AuditOrigin(principal.credential(), principal.role(), principal.address(), status);
    }
}
