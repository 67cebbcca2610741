package io.ringmaster.executor.companion;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Passes on the body of an HTTP answer as it arrives, and keeps its head; a body is never held as a whole. */
final class AnswerBody extends OutputStream {
    private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_HEAD_BYTES = 8 * 1024;

    private final OutputStream to;
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    private int matched;

    /** @param to receives the body of an answer with status 200; that of any other answer is dropped */
    AnswerBody(OutputStream to) {
        this.to = to;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int at = offset;
        int end = offset + length;
        while (at < end && matched < END_OF_HEAD.length) {
            byte b = bytes[at++];
            matched = b == END_OF_HEAD[matched] ? matched + 1 : b == '\r' ? 1 : 0;
            if (head.size() == MAX_HEAD_BYTES) {
                throw new IOException("the head of the answer is longer than " + MAX_HEAD_BYTES + " bytes");
            }
            head.write(b);
        }
        if (at < end && status() == CompanionClient.OK) {
            to.write(bytes, at, end - at);
        }
    }

    /** 0 before the end of the head, and for what is no HTTP answer. */
    int status() {
        return matched < END_OF_HEAD.length
                ? 0
                : CompanionClient.Answer.status(head.toString(StandardCharsets.US_ASCII));
    }
}
