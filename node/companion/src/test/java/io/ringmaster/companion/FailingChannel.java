package io.ringmaster.companion;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.Set;

/** A bound unix socket whose accept may fail, as when the process has no file descriptor left. */
final class FailingChannel extends ServerSocketChannel {
    private final ServerSocketChannel real;
    private final BeforeAccept before;

    /** Throws what accept is to throw. */
    interface BeforeAccept {
        void check() throws IOException;
    }

    FailingChannel(Path socket, BeforeAccept before) throws IOException {
        super(SelectorProvider.provider());
        this.real = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
        this.before = before;
    }

    @Override
    public SocketChannel accept() throws IOException {
        before.check();
        return real.accept();
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        real.close();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        real.configureBlocking(block);
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlog) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        real.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return real.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return real.supportedOptions();
    }

    @Override
    public ServerSocket socket() {
        return real.socket();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        return real.getLocalAddress();
    }
}
