package io.ringmaster.companion.task;

import io.ringmaster.companion.task.RestoreFiles.Element;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the schema of a backup, with the ids of its tables, because their files are known by them, and with the columns
 * that were dropped, because files may still have them. Indexes and views follow when all rows are there, see {@link
 * RestoreIndexesTask}, if the argument {@code indexes} is {@code later}.
 *
 * <p>Each {@code gc_grace_seconds} is raised by the argument {@code grace_seconds}: the deletions of the backup have
 * aged meanwhile, and must reach all replicas before any of them drops one.
 */
final class RestoreSchemaTask implements TaskBody {
    /** The argument that says when indexes and views are made. */
    private static final String INDEXES = "indexes";

    private static final String LATER = "later";

    private final RestoreFiles files;
    private final SchemaMaker maker;
    private final boolean makesAll;

    /** @throws IllegalArgumentException an argument is missing or wrong */
    RestoreSchemaTask(Map<String, String> args) {
        this(RestoreFiles.of(args), args);
    }

    RestoreSchemaTask(RestoreFiles files, Map<String, String> args) {
        this.files = files;
        this.maker = new SchemaMaker(args);
        // a plan of a former server has no other task for them
        this.makesAll = !LATER.equals(args.get(INDEXES));
    }

    @Override
    public String run(Progress progress) throws Exception {
        files.requireFetched();
        Path mark = files.schemaMade();
        Optional<String> made = RestoreFiles.read(mark);
        if (made.isPresent()) {
            return made.get();
        }
        List<Element> elements = files.schema().stream()
                .filter(element -> makesAll || !element.isBuiltFromRows())
                .toList();
        progress.expect(elements.size(), "statements");
        for (int i = 0; i < elements.size(); i++) {
            if (progress.isStopped()) {
                return i + " of " + elements.size() + " parts of the schema are made";
            }
            int done = i;
            progress.at("makes " + elements.get(i).label(), () -> done);
            maker.make(elements.get(i));
        }
        String message =
                "a schema of " + elements.size() + " parts, gc_grace_seconds raised by " + maker.graceSeconds();
        RestoreFiles.write(mark, message);
        return message;
    }

    @Override
    public void stop() {}
}
