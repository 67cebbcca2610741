package io.ringmaster.playground.wan;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The system calls that Java lacks, as unshare(2), setns(2), open(2), ioctl(2), read(2), write(2) and prctl(2) describe
 * them.
 */
final class Kernel {
    static final int CLONE_NEWNET = 0x4000_0000;
    static final int O_RDONLY = 0;
    static final int O_RDWR = 2;
    static final int O_CLOEXEC = 0x8_0000;
    static final int PR_SET_TIMERSLACK = 29;

    static {
        Native.register("c");
    }

    private Kernel() {}

    static native int unshare(int flags);

    static native int setns(int descriptor, int type);

    static native int open(String path, int flags);

    static native int ioctl(int descriptor, long request, byte[] argument);

    static native long read(int descriptor, ByteBuffer into, long bytes);

    static native long write(int descriptor, ByteBuffer from, long bytes);

    static native int prctl(int option, long argument);

    private static native String strerror(int number);

    /** @throws IOException with the kernel's reason, when {@code result} is negative */
    static long checked(String what, long result) throws IOException {
        if (result < 0) {
            throw new IOException(what + ": " + strerror(Native.getLastError()));
        }
        return result;
    }
}
