package io.ringmaster.transfer;

import java.io.IOException;

/** The work cannot be done, and why; the message is for people. */
final class TransferFailure extends IOException {
    private static final long serialVersionUID = 1L;

    TransferFailure(String message) {
        super(message);
    }
}
