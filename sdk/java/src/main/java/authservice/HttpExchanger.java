package authservice;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests by the JDK's client.
 *
 * <p>It speaks HTTP/1.1, where the end of a request's time closes its connection: all requests would share one of HTTP/2, also after
 * it is lost. The JDK sends a GET again, with the same bytes, if its connection was closed without an answer: that changes nothing.
 */
record HttpExchanger(HttpClient client) implements Exchanger {
    static final String USER_AGENT = "auth-service-java/0.1.0";
    /** More than a function of the service can answer. */
    static final int MAX_ANSWER_BYTES = 32 << 20;

    /** A client that ignores the proxies of the system properties, which may be meant for other programs: a proxy can answer. */
    static HttpExchanger standard() {
        return new HttpExchanger(HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(Duration.ofSeconds(10))
                .build());
    }

    @Override
    public Answer exchange(Request given, Duration timeout) throws IOException, InterruptedException {
        var body = given.body().length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(given.body());
        var request = HttpRequest.newBuilder(given.uri())
                .version(HttpClient.Version.HTTP_1_1)
                .method(given.method(), body)
                .setHeader("User-Agent", USER_AGENT);
        given.headers().forEach(request::setHeader);
        var received = new LimitedBody();
        var running = send(request.build(), received);
        try {
            // The timeout of a request of the JDK ends with its headers.
            var response = running.get(Math.max(0, timeout.toNanos()), TimeUnit.NANOSECONDS);
            return new Answer(response.statusCode(), response.headers(), response.body());
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("no complete answer in " + timeout.toMillis() + " ms");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } finally {
            if (!running.isDone()) {
                running.cancel(true);
                received.cancel();
            }
        }
    }

    /** A client of the application may refuse a request, for example when its executor has ended. */
    private CompletableFuture<HttpResponse<byte[]>> send(HttpRequest request, LimitedBody received) throws IOException {
        try {
            return client.sendAsync(request, response -> received);
        } catch (RuntimeException e) {
            throw new IOException(e);
        }
    }

    /** Collects a body that is not too long. */
    private static final class LimitedBody implements BodySubscriber<byte[]> {
        private final CompletableFuture<byte[]> result = new CompletableFuture<>();
        private final ByteArrayOutputStream received = new ByteArrayOutputStream();
        private volatile Flow.Subscription subscription;

        @Override
        public CompletionStage<byte[]> getBody() {
            return result;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (var buffer : buffers) {
                if (buffer.remaining() > MAX_ANSWER_BYTES - received.size()) {
                    result.completeExceptionally(new IOException("the answer is too long"));
                    cancel();
                    return;
                }
                var bytes = new byte[buffer.remaining()];
                buffer.get(bytes);
                received.writeBytes(bytes);
            }
        }

        @Override
        public void onError(Throwable failure) {
            result.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            result.complete(received.toByteArray());
        }

        void cancel() {
            var current = subscription;
            if (current != null) current.cancel();
        }
    }
}
