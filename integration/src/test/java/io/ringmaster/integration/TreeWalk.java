package io.ringmaster.integration;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Walks over files that running programs create and delete meanwhile. */
final class TreeWalk extends SimpleFileVisitor<Path> {
    private final Consumer<Path> each;
    private final BiConsumer<Path, IOException> failed;

    private TreeWalk(Consumer<Path> each, BiConsumer<Path, IOException> failed) {
        this.each = each;
        this.failed = failed;
    }

    /**
     * @param each gets every regular file
     * @param failed gets what cannot be listed, also because it is gone
     */
    static void of(Path folder, Consumer<Path> each, BiConsumer<Path, IOException> failed) throws IOException {
        Files.walkFileTree(folder, new TreeWalk(each, failed));
    }

    /** Every regular file; fails for what cannot be listed. */
    static void files(Path folder, Consumer<Path> each) throws IOException {
        of(folder, each, (path, why) -> {
            if (!(why instanceof NoSuchFileException)) {
                throw new AssertionError(path + " cannot be listed", why);
            }
        });
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (attributes.isRegularFile()) {
            each.accept(file);
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException why) {
        failed.accept(file, why);
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException why) {
        if (why != null) {
            failed.accept(folder, why);
        }
        return FileVisitResult.CONTINUE;
    }
}
