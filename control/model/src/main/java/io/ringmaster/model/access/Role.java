package io.ringmaster.model.access;

import java.util.Locale;

/** The rights of a caller. Each role includes those before it. */
public enum Role {
    /** Reads. */
    VIEWER,
    /** Also applies specs, requests operations, controls plans and reads logs. */
    OPERATOR,
    /** Also destroys data, forces and manages API tokens. */
    ADMIN;

    /** Whether a caller with this role has the rights of {@code needed}. */
    public boolean includes(Role needed) {
        return compareTo(needed) >= 0;
    }

    /** As people write it, such as {@code operator}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
