package io.ringmaster.companion.task;

import io.ringmaster.companion.task.RestoreFiles.Element;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Waits until this node has built the indexes and views of a backup: a view that is not built lacks rows without a
 * word. An index whose build failed is built once more.
 */
final class RestoreBuildsTask implements TaskBody {
    private static final long POLL_MS = 500;

    private final RestoreFiles files;

    /** @throws IllegalArgumentException an argument is missing or wrong */
    RestoreBuildsTask(Map<String, String> args) {
        this(RestoreFiles.of(args));
    }

    RestoreBuildsTask(RestoreFiles files) {
        this.files = files;
    }

    @Override
    public String run(Progress progress) throws Exception {
        files.requireFetched();
        List<Element> elements = files.builtFromRows();
        progress.expect(elements.size(), "indexes and views");
        Set<Element> again = new HashSet<>();
        int built = 0;
        while (built < elements.size() && !progress.isStopped()) {
            int done = built;
            Element element = elements.get(built);
            LocalBuild build = new LocalBuild(element);
            LocalBuild.State state = build.state();
            if (state == LocalBuild.State.DONE) {
                built++;
            } else if (state == LocalBuild.State.FAILED) {
                buildAgain(build, again);
            } else {
                progress.at(
                        (state == LocalBuild.State.RUNNING ? "builds " : "waits for ") + element.label(), () -> done);
                Thread.sleep(POLL_MS);
            }
        }
        return built + " of " + elements.size() + " indexes and views are built here";
    }

    @Override
    public void stop() {}

    private static void buildAgain(LocalBuild build, Set<Element> before) {
        Element element = build.element();
        if (!before.add(element)) {
            throw new IllegalStateException("Cassandra could not build " + element.label()
                    + ": its log says why -> retry, or go on without it");
        }
        build.again();
    }
}
