package io.ringmaster.pool.mesos.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.pool.mesos.picture.Agent;
import io.ringmaster.pool.mesos.picture.MesosResource;
import io.ringmaster.pool.mesos.picture.ResourceSet;
import java.util.Optional;

/** Resources of one agent that the pool may use now. */
record Offer(String id, String agent, MachineName machine, ResourceSet resources) {
    static String id(JsonNode offer) {
        return offer.path("id").path("value").asText();
    }

    /** Empty if its agent is no machine of the pool. */
    static Optional<Offer> of(JsonNode offer) {
        return Agent.name(offer.path("hostname").asText())
                .map(machine -> new Offer(
                        id(offer),
                        offer.path("agent_id").path("value").asText(),
                        machine,
                        new ResourceSet(MesosResource.all(offer.path("resources")))));
    }
}
