package authservice;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.function.BiFunction;

/**
 * The attempts of one call.
 *
 * <p>All share one nonce, so the service acts once and answers a retry with the outcome of the first attempt that it received. A 409
 * nonce_replayed means that the same bytes arrived twice, which anything on the way can cause, even for the first attempt. It is
 * retried like any temporary failure: the next attempt has a new signature and gets the outcome.
 */
final class Attempts {
    /** The maximum correction of the signing time by a response; it also bounds the expiry of signatures. */
    private static final Duration MAX_SKEW = Duration.ofSeconds(300);

    private final Caller caller;
    private final Call call;
    private final String nonce = RequestSigner.newNonce();
    private final URI uri;
    /** The end of the call by the clock that signs, and by the monotonic one. */
    private final Instant endsAt;

    private final long deadline;
    private Key key;
    private int count;
    private int sent;
    private Instant signedAt;
    private boolean clockIsSet;

    Attempts(Caller caller, Call call) {
        this.caller = caller;
        this.call = call;
        uri = URI.create(caller.origin() + "/api/service/" + call.target());
        endsAt = caller.clocks().now().plus(caller.timeout());
        deadline = caller.clocks().monotonic() + caller.timeout().toNanos();
    }

    /** Either a result or a failure. */
    record Outcome<T>(T result, Failure failure) {}

    Hooks.Request event() {
        return new Hooks.Request(call.operation(), count);
    }

    /** The number of requests that were sent. */
    int sent() {
        return sent;
    }

    Duration left() {
        return Duration.ofNanos(deadline - caller.clocks().monotonic());
    }

    /** Sends one attempt, and tells the hooks. */
    <T> Outcome<T> send(BiFunction<Members, String, T> read) {
        count++;
        caller.hooks().onRequest(event());
        var startedAt = caller.clocks().monotonic();
        var shareEnd = shareEnd(startedAt);
        Answer answer = null;
        Outcome<T> outcome;
        try {
            if (key == null) key = readKey(Duration.ofNanos(shareEnd - startedAt));
            var signed = sign();
            var request = request(signed);
            sent++;
            answer = caller.exchanger().exchange(request, Duration.ofNanos(shareEnd - caller.clocks().monotonic()));
            outcome = read(answer, signed, read);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            outcome = new Outcome<>(null, Failure.aborted(e));
        } catch (IOException e) {
            outcome = new Outcome<>(null, Failure.noAnswer(e, e instanceof HttpTimeoutException));
        } catch (InvalidKey e) {
            outcome = new Outcome<>(null, Failure.of(Failure.Kind.SIGNATURE_REJECTED, "key_invalid", e.getMessage()));
        }
        var duration = Duration.ofNanos(caller.clocks().monotonic() - startedAt);
        var code = outcome.failure() == null ? null : outcome.failure().code();
        var status = answer == null ? 0 : answer.status();
        var requestId = answer == null ? "" : answer.requestId();
        caller.hooks().onResponse(new Hooks.Response(event(), duration, status, requestId, code));
        return outcome;
    }

    /** Only what has the nonce of the request comes from the service. */
    private <T> Outcome<T> read(Answer answer, RequestSigner.Signed signed, BiFunction<Members, String, T> read) {
        if (answer.status() == 200 && answer.isOwn(nonce)) {
            try {
                return new Outcome<>(read.apply(Members.parse(answer.body()), key.appId()), null);
            } catch (Json.Malformed e) {
                // Not an answer to this call.
            }
        }
        return new Outcome<>(null, answer.failure(signed, caller.clocks().now()));
    }

    /** The end of an attempt, which may take its share of the remaining time. */
    private long shareEnd(long startedAt) {
        return startedAt + Math.max(0, deadline - startedAt) / Math.max(1, caller.maxAttempts() - count + 1);
    }

    private static final class InvalidKey extends Exception {
        private static final long serialVersionUID = 1;

        InvalidKey(String message) {
            super(message);
        }
    }

    /**
     * Reads the key before the first attempt. The others use the same: with another key, the nonce would identify another call. An
     * invalid one is not worth a retry, unlike one that is missing.
     */
    private Key readKey(Duration timeout) throws IOException, InterruptedException, InvalidKey {
        try {
            var found = caller.key().read(timeout);
            if (found == null) throw new InvalidKey("the source of the key returned none");
            return found;
        } catch (InterruptedException | IOException | InvalidKey e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new InvalidKey(e.getMessage());
        } catch (Exception e) {
            throw new IOException("the key cannot be read: " + e.getMessage(), e);
        }
    }

    private RequestSigner.Signed sign() {
        var now = caller.clocks().now();
        // At least a second after the previous attempt, so that no two signatures are the same.
        if (signedAt != null && signedAt.plusSeconds(1).isAfter(now)) now = signedAt.plusSeconds(1);
        signedAt = now;
        var skew = caller.skew().get();
        // No write is signed ahead of this machine's time: an attacker who forges a response could delay the write and send it later.
        var most = call.reads() ? MAX_SKEW : Duration.ZERO;
        var created = now.plus(clamp(skew, MAX_SKEW.negated(), most));
        // By the service's clock: a delayed attempt cannot take effect after the caller has seen the failure.
        return new RequestSigner(key, nonce, created, endsAt.plus(skew), call.ifMatch()).sign(call.method(), uri, call.body());
    }

    private Exchanger.Request request(RequestSigner.Signed signed) {
        var headers = new HashMap<>(signed.headers());
        headers.put("Accept", "application/json");
        if (call.body().length > 0) headers.put("Content-Type", "application/json");
        return new Exchanger.Request(call.method(), uri, headers, call.body());
    }

    private static Duration clamp(Duration duration, Duration least, Duration most) {
        if (duration.compareTo(least) < 0) return least;
        return duration.compareTo(most) > 0 ? most : duration;
    }

    /** Returns how long to wait before a retry; null if none can help. */
    Duration delayAfter(Failure failure) {
        var before = caller.skew().get();
        var skew = skewOf(failure);
        if (skew != null) caller.skew().set(skew);
        if (skew != null && skew.minus(before).abs().compareTo(Duration.ofSeconds(1)) > 0 && !clockIsSet) {
            clockIsSet = true;
            return Duration.ZERO;
        }
        if (failure.kind() != Failure.Kind.UNAVAILABLE || count >= caller.maxAttempts()) return null;
        // Jitter, so that clients do not retry in sync: up to 0.2 s, 0.4 s, 0.8 s … 5 s.
        var most = Math.min(5, 0.1 * Math.pow(2, count));
        return failure.retryAfter().plusNanos((long) (caller.clocks().random() * most * 1e9));
    }

    /** Returns how far the service is ahead, by a 401 clock_skew; null if the failure is another. */
    private Duration skewOf(Failure failure) {
        if (failure.status() != 401 || !failure.code().equals("clock_skew")) return null;
        try {
            var serverTime = Members.parseTime(Answer.text(failure.problem(), "serverTime"));
            return Duration.between(caller.clocks().now(), serverTime);
        } catch (Json.Malformed | ArithmeticException e) {
            return Duration.ZERO;
        }
    }
}
