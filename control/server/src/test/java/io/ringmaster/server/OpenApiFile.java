package io.ringmaster.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.ringmaster.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * {@code api/openapi.yaml} with closed objects: clients must accept additional fields, but in these tests a field that
 * is not in the file is a difference.
 */
final class OpenApiFile {
    private static final Path FILE = Path.of("../../api/openapi.yaml");
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

    /**
     * @param path the path below {@code /api/v1}, with parameters in braces
     * @param access {@code x-ringmaster-access}
     */
    record Operation(String method, String path, String id, String access, JsonNode responses) {}

    private final ObjectNode root;
    private final JsonSchemaFactory factory = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
    private final SchemaValidatorsConfig strict =
            SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();

    private OpenApiFile(ObjectNode root) {
        this.root = root;
    }

    static OpenApiFile read() {
        try {
            Object yaml = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(FILE));
            ObjectNode root = Json.mapper().valueToTree(yaml);
            close(root);
            return new OpenApiFile(root);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Operation> operations() {
        var operations = new ArrayList<Operation>();
        root.get("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(method -> {
                    if (METHODS.contains(method.getKey())) {
                        JsonNode operation = method.getValue();
                        operations.add(new Operation(
                                method.getKey().toUpperCase(Locale.ROOT),
                                path.getKey(),
                                operation.get("operationId").textValue(),
                                operation.path("x-ringmaster-access").asText("missing"),
                                operation.get("responses")));
                    }
                }));
        return operations;
    }

    /** The differences between this answer and the file; empty when it conforms. */
    List<String> differences(Operation operation, int status, String contentType, String body) {
        JsonNode response = operation.responses.get(Integer.toString(status));
        if (response == null) {
            response = operation.responses.get("default");
        }
        if (response == null) {
            return List.of("status " + status + " is not in the file");
        }
        JsonNode content = resolve(response).get("content");
        if (content == null && body.isEmpty()) {
            return List.of();
        }
        String type = contentType.replaceFirst(";.*", "").strip();
        if (content == null || content.get(type) == null) {
            return List.of("status " + status + " has no content of type " + type + " in the file");
        }
        return type.endsWith("json") ? violations(content.get(type).get("schema"), body) : List.of();
    }

    List<String> violations(JsonNode schema, String json) {
        ObjectNode whole = Json.mapper().createObjectNode();
        whole.set("components", root.get("components"));
        whole.putArray("allOf").add(schema);
        JsonSchema compiled = factory.getSchema(whole, strict);
        try {
            return compiled.validate(Json.mapper().readTree(json)).stream()
                    .map(ValidationMessage::getMessage)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of("not JSON: " + e.getMessage());
        }
    }

    /** Every media type object of the file that has a schema and an example. */
    List<JsonNode> examples() {
        return root.findParents("example").stream().filter(n -> n.has("schema")).toList();
    }

    JsonNode schema(String name) {
        return root.get("components").get("schemas").get(name);
    }

    /** The values of each enum, by its place below {@code components/schemas}. */
    Map<String, Set<String>> enums() {
        var enums = new TreeMap<String, Set<String>>();
        root.get("components").get("schemas").properties().forEach(s -> enums(s.getKey(), s.getValue(), enums));
        return enums;
    }

    private static void enums(String place, JsonNode node, Map<String, Set<String>> enums) {
        if (node.path("enum").isArray()) {
            var values = new TreeSet<String>();
            node.get("enum").forEach(v -> values.add(v.textValue()));
            enums.put(place, values);
        }
        node.properties().forEach(child -> enums(place + "/" + child.getKey(), child.getValue(), enums));
    }

    private JsonNode resolve(JsonNode node) {
        return node.has("$ref") ? root.at(node.get("$ref").textValue().substring(1)) : node;
    }

    private static void close(JsonNode node) {
        if (node instanceof ObjectNode object
                && "object".equals(object.path("type").asText())
                && object.has("properties")
                && !object.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
        node.forEach(OpenApiFile::close);
    }
}
