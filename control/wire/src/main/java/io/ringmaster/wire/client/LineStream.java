package io.ringmaster.wire.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The lines of an endless response with back-pressure: at most {@value #AHEAD} lines are buffered. */
final class LineStream implements Flow.Subscriber<String> {
    private static final int AHEAD = 256;

    /** One line, or the end of the stream if {@code line} is null. */
    private record Item(@Nullable String line, @Nullable Throwable failure) {}

    private final URI uri;
    private final BlockingQueue<Item> items = new LinkedBlockingQueue<>();
    private volatile long receivedNanos = System.nanoTime();
    private volatile Flow.@Nullable Subscription subscription;
    private volatile boolean cancelled;

    private LineStream(URI uri) {
        this.uri = uri;
    }

    static LineStream open(HttpClient http, HttpRequest request) {
        var stream = new LineStream(request.uri());
        // the text of a refusal is no line of the stream
        HttpResponse.BodyHandler<Void> lines = response -> response.statusCode() == 200
                ? BodySubscribers.fromLineSubscriber(stream)
                : BodySubscribers.discarding();
        var unused = http.sendAsync(request, lines).whenComplete((response, failure) -> {
            if (failure != null) {
                stream.onError(failure);
            } else if (response.statusCode() != 200) {
                stream.onError(new IOException("HTTP " + response.statusCode()));
            }
        });
        return stream;
    }

    /**
     * @param quiet the time without a line after which the stream counts as broken
     * @throws UnreachableException the stream has ended or is broken
     */
    Optional<String> poll(long waitNanos, Duration quiet) throws InterruptedException {
        Item item = items.poll(Math.max(0, waitNanos), TimeUnit.NANOSECONDS);
        if (item == null) {
            if (System.nanoTime() - receivedNanos > quiet.toNanos()) {
                throw broken("nothing for " + quiet.toSeconds() + " s", null);
            }
            return Optional.empty();
        }
        if (item.line == null) {
            throw broken(item.failure == null ? "the stream ended" : "the stream broke", item.failure);
        }
        Flow.Subscription from = subscription;
        if (from != null) {
            from.request(1);
        }
        return Optional.of(item.line);
    }

    void cancel() {
        cancelled = true;
        Flow.Subscription from = subscription;
        if (from != null) {
            from.cancel();
        }
    }

    @Override
    public void onSubscribe(Flow.Subscription from) {
        subscription = from;
        if (cancelled) {
            from.cancel();
        } else {
            from.request(AHEAD);
        }
    }

    @Override
    public void onNext(String line) {
        receivedNanos = System.nanoTime();
        items.add(new Item(line, null));
    }

    @Override
    public void onError(Throwable failure) {
        items.add(new Item(null, failure));
    }

    @Override
    public void onComplete() {
        items.add(new Item(null, null));
    }

    private UnreachableException broken(String how, @Nullable Throwable cause) {
        String why = cause == null ? "" : " (" + FailureReason.of(cause) + ")";
        return new UnreachableException(uri.getAuthority() + ": " + how + why, new IOException(how, cause));
    }
}
