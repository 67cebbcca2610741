package io.ringmaster.lab.machine;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;

/** Sizes of files that a running program makes and deletes. */
public final class FileSizes {
    private FileSizes() {}

    /** Sum of the lengths of all files below a folder, in bytes; 0 where there is none. */
    public static long below(Path folder) throws IOException {
        AtomicLong sum = new AtomicLong();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                sum.addAndGet(attributes.size());
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE; // deleted meanwhile
                }
                throw failure;
            }
        });
        return sum.get();
    }
}
