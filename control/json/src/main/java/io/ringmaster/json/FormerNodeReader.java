package io.ringmaster.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TreeTraversingParser;
import io.ringmaster.model.record.NodeRecord;
import java.io.IOException;
import java.time.Instant;

/**
 * Reads the record of a node that an older server stored. An older server chose the address of the allocation, so a
 * node that had joined is in the ring at that address. Nothing else identifies the member until its executor reports.
 * An older server did not store since when a node owes a repair.
 */
final class FormerNodeReader extends DelegatingDeserializer {
    private static final long serialVersionUID = 1L;
    private static final String LAST_ENDPOINT = "lastEndpoint";
    private static final String NEEDS_REPAIR = "needsRepair";
    private static final String OWES_REPAIR_SINCE = "owesRepairSince";

    private FormerNodeReader(JsonDeserializer<?> reader) {
        super(reader);
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> reader) {
        return new FormerNodeReader(reader);
    }

    @Override
    public Object deserialize(JsonParser json, DeserializationContext context) throws IOException {
        JsonNode tree = context.readTree(json);
        if (tree instanceof ObjectNode node) {
            addLastEndpoint(node);
            if (node.path(NEEDS_REPAIR).asBoolean() && !node.hasNonNull(OWES_REPAIR_SINCE)) {
                node.put(OWES_REPAIR_SINCE, Instant.EPOCH.toString());
            }
        }
        try (JsonParser fields = new TreeTraversingParser(tree, json.getCodec())) {
            fields.nextToken();
            return super.deserialize(fields, context);
        }
    }

    private static void addLastEndpoint(ObjectNode node) {
        JsonNode address = node.path("allocation").path("address");
        JsonNode port = node.path("allocation").path("ports").path("storage");
        if (node.path("joined").asBoolean() && !node.hasNonNull(LAST_ENDPOINT) && address.isTextual() && port.isInt()) {
            String host = address.textValue();
            node.put(LAST_ENDPOINT, (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port.intValue());
        }
    }

    /** Puts the reader before the one that Jackson makes. */
    static final class Modifier extends BeanDeserializerModifier {
        private static final long serialVersionUID = 1L;

        @Override
        public JsonDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription type, JsonDeserializer<?> reader) {
            return type.getBeanClass() == NodeRecord.class ? new FormerNodeReader(reader) : reader;
        }
    }
}
