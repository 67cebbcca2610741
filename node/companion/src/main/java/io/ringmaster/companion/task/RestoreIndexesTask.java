package io.ringmaster.companion.task;

import io.ringmaster.companion.task.RestoreFiles.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the indexes and views of a backup when every node of every datacenter has imported its rows, and waits until
 * all nodes have built them: a view that is not built lacks rows without a word. They are built from the rows of their
 * tables, whatever the storage of these. The snapshot of a view would be of another moment than that of its table, and
 * no repair compares the two.
 */
final class RestoreIndexesTask implements TaskBody {
    private static final long POLL_MS = 500;

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

    @Override
    public String run(Progress progress) throws Exception {
        files.requireFetched();
        Optional<String> made = RestoreFiles.read(files.indexesMade());
        if (made.isPresent()) {
            return made.get();
        }
        List<Element> elements =
                files.schema().stream().filter(Element::isBuiltFromRows).toList();
        progress.expect(elements.size(), "indexes and views");
        String message = elements.size() + " indexes and views are made and built";
        if (!makeAll(elements, progress) || !awaitBuilt(elements, progress)) {
            return "not all indexes and views are built";
        }
        RestoreFiles.write(files.indexesMade(), message);
        return message;
    }

    @Override
    public void stop() {}

    /**
     * Makes each one, also after one that failed: people may declare this done, and make that one themselves.
     *
     * @return false if the task was stopped
     */
    private boolean makeAll(List<Element> elements, Progress progress) {
        List<String> failed = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            if (progress.isStopped()) {
                return false;
            }
            int done = i;
            progress.at("makes " + elements.get(i).label(), () -> done);
            try {
                maker.make(elements.get(i));
            } catch (IllegalStateException e) {
                failed.add(e.getMessage());
            }
        }
        if (!failed.isEmpty()) {
            throw new IllegalStateException(String.join("; ", failed));
        }
        return true;
    }

    private static boolean awaitBuilt(List<Element> elements, Progress progress) throws InterruptedException {
        int built = 0;
        while (built < elements.size()) {
            if (progress.isStopped()) {
                return false;
            }
            int done = built;
            Optional<String> missing = IndexBuilds.missing(elements.get(built));
            if (missing.isEmpty()) {
                built++;
            } else {
                progress.at(missing.get(), () -> done);
                Thread.sleep(POLL_MS);
            }
        }
        return true;
    }
}
