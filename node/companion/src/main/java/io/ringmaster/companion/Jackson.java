package io.ringmaster.companion;

import com.fasterxml.jackson.databind.ObjectMapper;

/** The JSON mapper of the management socket and of the seeds, from the Jackson that Cassandra ships. */
final class Jackson {
    static final ObjectMapper MAPPER = new ObjectMapper();

    private Jackson() {}
}
