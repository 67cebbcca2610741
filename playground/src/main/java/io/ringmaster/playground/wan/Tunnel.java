package io.ringmaster.playground.wan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A TUN device: packets that the kernel sends are read here, packets written here reach the kernel. See tuntap.rst of
 * Linux.
 */
final class Tunnel {
    static final String DEVICE = "wan0";
    private static final int PACKET_MAX = 65_535;
    private static final int IFREQ_BYTES = 40;
    private static final int IFREQ_FLAGS = 16;
    private static final long TUNSETIFF = 0x4004_54caL;
    private static final short IFF_TUN_WITHOUT_HEADER = 0x1001;

    private final int descriptor;
    private final ByteBuffer in = ByteBuffer.allocateDirect(PACKET_MAX);
    private final ByteBuffer out = ByteBuffer.allocateDirect(PACKET_MAX);

    private Tunnel(int descriptor) {
        this.descriptor = descriptor;
    }

    /** @throws IOException the kernel has no TUN devices, or this user may not open one */
    static Tunnel open(NetworkNamespace namespace) throws IOException {
        return new Tunnel(namespace.inside(() -> {
            int fd =
                    (int) Kernel.checked("/dev/net/tun", Kernel.open("/dev/net/tun", Kernel.O_RDWR | Kernel.O_CLOEXEC));
            ByteBuffer request = ByteBuffer.allocate(IFREQ_BYTES).order(ByteOrder.nativeOrder());
            request.put(DEVICE.getBytes(StandardCharsets.US_ASCII)).putShort(IFREQ_FLAGS, IFF_TUN_WITHOUT_HEADER);
            Kernel.checked("a TUN device cannot be created", Kernel.ioctl(fd, TUNSETIFF, request.array()));
            return fd;
        }));
    }

    /** Waits for the next packet. Not thread-safe. */
    byte[] read() throws IOException {
        int length = (int) Kernel.checked("reading " + DEVICE, Kernel.read(descriptor, in, PACKET_MAX));
        byte[] packet = new byte[length];
        in.get(0, packet);
        return packet;
    }

    /** @return false when the device is down */
    synchronized boolean write(byte[] packet) {
        out.put(0, packet);
        return Kernel.write(descriptor, out, packet.length) == packet.length;
    }
}
