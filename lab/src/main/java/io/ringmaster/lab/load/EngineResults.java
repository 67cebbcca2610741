package io.ringmaster.lab.load;

import io.ringmaster.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The results of {@link EngineBench}, in files that are named by storage, load and round. */
public record EngineResults(Path folder, EnginePlan plan) {

    /**
     * The rounds of one load on one node that count, in order; without those that have no result.
     *
     * @throws IOException a file is no result; the message names it
     */
    public List<EngineRound> rounds(EngineStorage storage, EngineLoad load) throws IOException {
        List<EngineRound> rounds = new ArrayList<>();
        for (int round = plan.firstCounted(); round <= plan.rounds(); round++) {
            String name = storage.key() + "-" + load.file() + "." + round;
            Path valid = folder.resolve(name + ".json");
            Path result = Files.exists(valid) ? valid : folder.resolve(name + ".invalid");
            if (Files.exists(result)) {
                rounds.add(new EngineRound(
                        RunOutcome.of(result, RunResult.read(result)),
                        use(folder.resolve(name + ".node")),
                        folder.resolve(name + ".gc.log")));
            }
        }
        return rounds;
    }

    private static EngineRound.NodeUse use(Path file) throws IOException {
        try {
            return Json.parse(Files.readString(file), EngineRound.NodeUse.class);
        } catch (UncheckedIOException e) {
            throw new IOException(file + " is not the use of a node: " + e.getCause(), e);
        }
    }

    /** The search for the highest rate of a node; empty where it failed or there was none. */
    public Optional<SustainResult> sustained(EngineStorage storage) throws IOException {
        Path file = folder.resolve(storage.key() + "-sustain.json");
        return Files.exists(file) ? Optional.of(SustainResult.read(file)) : Optional.empty();
    }
}
