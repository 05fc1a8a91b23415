package authservice;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/** Sends a request, follows no redirect, and returns the answer, complete within the time. */
@FunctionalInterface
interface Exchanger {
    /** A request that must be sent exactly as it is, with these headers and no others. */
    record Request(String method, URI uri, Map<String, String> headers, byte[] body) {}

    /**
     * Sends a request.
     *
     * @throws java.net.http.HttpTimeoutException at the end of the time
     */
    Answer exchange(Request request, Duration timeout) throws IOException, InterruptedException;
}
