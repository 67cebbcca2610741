package io.ringmaster.companion;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A server's answer to one node: the wire form of the server's {@code SeedAnswer}.
 *
 * @param isSeed whether the asking node is a seed itself
 * @param seeds the other seeds, as {@code address:storage_port}
 * @param reason why there is no seed yet; empty where there is one
 */
record SeedAnswer(boolean isSeed, List<String> seeds, String reason) {

    SeedAnswer {
        seeds = List.copyOf(seeds);
    }

    /** @throws IOException the text is not a seed answer */
    static SeedAnswer parse(String json) throws IOException {
        JsonNode answer = Jackson.MAPPER.readTree(json);
        if (!answer.path("isSeed").isBoolean() || !answer.path("seeds").isArray()) {
            throw new IOException("not a seed answer: " + json);
        }
        List<String> seeds = new ArrayList<>();
        answer.get("seeds").forEach(seed -> seeds.add(seed.asText()));
        return new SeedAnswer(
                answer.get("isSeed").asBoolean(), seeds, answer.path("reason").asText(""));
    }

    /** The answer as it is kept, with the endpoint that it was given to. */
    String json(String endpoint) throws IOException {
        return Jackson.MAPPER.writeValueAsString(Jackson.MAPPER
                .createObjectNode()
                .put("endpoint", endpoint)
                .put("isSeed", isSeed)
                .set("seeds", Jackson.MAPPER.valueToTree(seeds)));
    }

    SeedAnswer withoutItself() {
        return new SeedAnswer(false, seeds, reason);
    }

    /** False when the node is not a seed and knows none: it has no node to join. */
    boolean isUsable() {
        return isSeed || !seeds.isEmpty();
    }

    @Override
    public String toString() {
        return "isSeed " + isSeed + ", seeds " + seeds;
    }
}
