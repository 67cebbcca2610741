package io.ringmaster.playground;

import io.ringmaster.cli.session.Environment;
import io.ringmaster.cli.session.LocalServers;
import java.net.URI;
import java.util.List;

/** The servers of the playground that runs on this computer. */
public final class RunningPlayground implements LocalServers {
    @Override
    public String origin() {
        return "the playground";
    }

    @Override
    public List<URI> urls(Environment environment) {
        return PlaygroundState.urls(environment.home()).stream()
                .map(URI::create)
                .toList();
    }

    @Override
    public List<String> start() {
        return List.of("playground");
    }

    @Override
    public List<String> status() {
        return List.of("playground", "status");
    }
}
