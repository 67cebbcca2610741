package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.FailureText;
import io.ringmaster.companion.task.RestoreFiles.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes the indexes and views of a backup when every node of every datacenter has imported its rows. They are built
 * from the rows of their tables, whatever the storage of these: {@link RestoreBuildsTask} waits for that. The snapshot
 * of a view would be of another moment than that of its table, and no repair compares the two.
 */
final class RestoreIndexesTask implements TaskBody {
    private final RestoreFiles files;
    private final SchemaMaker maker;

    /** @throws IllegalArgumentException an argument is missing or wrong */
    RestoreIndexesTask(Map<String, String> args) {
        this(RestoreFiles.of(args), args);
    }

    RestoreIndexesTask(RestoreFiles files, Map<String, String> args) {
        this.files = files;
        this.maker = new SchemaMaker(args);
    }

    /** Makes each one, also after one that failed: people may declare this done, and make that one themselves. */
    @Override
    public String run(Progress progress) throws Exception {
        files.requireFetched();
        List<Element> elements = files.builtFromRows();
        progress.expect(elements.size(), "indexes and views");
        List<String> failed = new ArrayList<>();
        for (int i = 0; i < elements.size() && !progress.isStopped(); i++) {
            int done = i;
            progress.at("makes " + elements.get(i).label(), () -> done);
            try {
                maker.make(elements.get(i));
            } catch (IllegalStateException e) {
                failed.add(FailureText.of(e));
            }
        }
        if (!failed.isEmpty()) {
            throw new IllegalStateException(String.join("; ", failed));
        }
        return elements.size() + " indexes and views are made";
    }

    @Override
    public void stop() {}
}
