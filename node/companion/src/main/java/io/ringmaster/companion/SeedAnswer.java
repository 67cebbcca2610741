package io.ringmaster.companion;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server says to one node.
 *
 * @param isSeed the node that asks is a seed itself
 * @param seeds the others, as {@code address:storage_port}
 */
record SeedAnswer(boolean isSeed, List<String> seeds) {

    SeedAnswer {
        seeds = List.copyOf(seeds);
    }

    /** @throws IOException naming what is wrong with the text */
    static SeedAnswer parse(String json) throws IOException {
        JsonNode answer = ManagementServer.JSON.readTree(json);
        if (!answer.path("isSeed").isBoolean() || !answer.path("seeds").isArray()) {
            throw new IOException("not an answer about seeds: " + json);
        }
        List<String> seeds = new ArrayList<>();
        answer.get("seeds").forEach(seed -> seeds.add(seed.asText()));
        return new SeedAnswer(answer.get("isSeed").asBoolean(), seeds);
    }

    String json() throws IOException {
        return ManagementServer.JSON.writeValueAsString(ManagementServer.JSON
                .createObjectNode()
                .put("isSeed", isSeed)
                .set("seeds", ManagementServer.JSON.valueToTree(seeds)));
    }

    /** Without any seed a node that is none itself has nobody to join. */
    boolean isUsable() {
        return isSeed || !seeds.isEmpty();
    }

    @Override
    public String toString() {
        return "isSeed " + isSeed + ", seeds " + seeds;
    }
}
