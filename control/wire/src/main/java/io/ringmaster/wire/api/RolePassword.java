package io.ringmaster.wire.api;

import io.ringmaster.model.name.RoleName;

/** The password of a role. */
public record RolePassword(RoleName role, String password) {
    /** Without the password, which must not reach a log. */
    @Override
    public String toString() {
        return "password of " + role;
    }
}
