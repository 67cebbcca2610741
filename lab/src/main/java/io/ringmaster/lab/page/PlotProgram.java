package io.ringmaster.lab.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Draws plots by {@code lab/plots}, a program of node.
 *
 * @param program {@code plots.js} of the built distribution
 */
public record PlotProgram(Path program) {
    private static final int BAD_SPEC = 2;

    /** @return whether plots were drawn: false where node or the built program is missing */
    public boolean draw(List<Plot> plots, Path folder) throws IOException, InterruptedException {
        if (plots.isEmpty() || !Files.exists(program)) {
            return false;
        }
        Files.createDirectories(folder);
        Path spec = Files.createTempFile("plots", ".json");
        try {
            Files.write(spec, Json.mapper().writeValueAsBytes(spec(plots)));
            Process node;
            try {
                node = new ProcessBuilder("node", program.toString(), spec.toString(), folder.toString())
                        .redirectErrorStream(true)
                        .start();
            } catch (IOException e) {
                return false; // node is not installed
            }
            String out = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = node.waitFor();
            if (code == BAD_SPEC) {
                throw new IOException("the plots cannot be drawn: " + out.strip());
            }
            return code == 0; // a node that is too old ends with another code
        } finally {
            Files.deleteIfExists(spec);
        }
    }

    /** The names of scales and kinds are in lower case there. */
    private static ObjectNode spec(List<Plot> plots) {
        ObjectNode spec = Json.mapper().createObjectNode();
        ArrayNode all = spec.putArray("plots");
        for (Plot plot : plots) {
            ObjectNode node = Json.mapper().valueToTree(plot);
            axis(node.get("x"), plot.x());
            axis(node.get("y"), plot.y());
            for (int i = 0; i < plot.series().size(); i++) {
                ObjectNode line = (ObjectNode) node.get("series").get(i);
                Plot.Kind kind = plot.series().get(i).kind();
                line.put("kind", kind.toString());
                if (!kind.hasDashes()) {
                    line.remove("dashed");
                }
            }
            all.add(node);
        }
        return spec;
    }

    private static void axis(JsonNode node, Plot.Axis axis) {
        ObjectNode object = (ObjectNode) node;
        object.put("scale", axis.scale().toString());
        if (axis.labels().isEmpty()) {
            object.remove("labels");
        }
        if (axis.unit().isEmpty()) {
            object.remove("unit");
        }
    }
}
