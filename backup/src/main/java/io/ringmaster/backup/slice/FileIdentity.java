package io.ringmaster.backup.slice;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Two links with an equal identity are one file with the same bytes: files of sstables are replaced, not overwritten.
 * The time of the last change of the inode is not in it, because each new link changes that.
 *
 * @param size in bytes
 * @param modified in nanoseconds since 1970
 */
public record FileIdentity(long device, long inode, long size, long modified) {
    /** An identity, and the number of links that the file has. */
    public record Linked(FileIdentity key, int links) {}

    public static Linked of(Path file) throws IOException {
        Map<String, Object> read =
                Files.readAttributes(file, "unix:dev,ino,nlink,size,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
        var key = new FileIdentity(
                number(read, "dev"),
                number(read, "ino"),
                number(read, "size"),
                read.get("lastModifiedTime") instanceof FileTime time ? time.to(TimeUnit.NANOSECONDS) : 0);
        return new Linked(key, (int) number(read, "nlink"));
    }

    private static long number(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof Number number ? number.longValue() : 0;
    }
}
