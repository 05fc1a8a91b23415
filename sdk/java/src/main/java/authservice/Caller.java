package authservice;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;

/** Sends calls. Its state, the clock of the service and the circuit, is shared by all calls of a client. */
record Caller(
        String origin,
        KeySource key,
        Hooks hooks,
        Circuit circuit,
        Clocks clocks,
        Exchanger exchanger,
        Duration timeout,
        int maxAttempts,
        AtomicReference<Duration> skew) {
    /** How long the service returns the outcome of an attempt; later attempts must not use the same nonce. */
    static final Duration MAX_CALL_TIME = Duration.ofSeconds(300);

    Caller within(Duration time) {
        return new Caller(origin, key, hooks, circuit, clocks, exchanger, time, maxAttempts, skew);
    }

    /**
     * Sends a call: signed attempts under one nonce, until there is an answer, a retry cannot help, or the time is over.
     *
     * @param read reads the body of a 200 with the id of the application, and throws {@link Json.Malformed} for what is not an answer
     *     to its call
     */
    <T> T send(Call call, BiFunction<Members, String, T> read) {
        if (Thread.currentThread().isInterrupted()) throw Failure.aborted(new InterruptedException()).exception(0);
        circuit.enter();
        var attempts = new Attempts(this, call);
        while (true) {
            var outcome = attempts.send(read);
            if (outcome.failure() == null) {
                circuit.leave(false);
                return outcome.result();
            }
            var failure = outcome.failure();
            if (failure.kind() == Failure.Kind.ABORTED) throw failure.exception(attempts.sent());
            var delay = attempts.delayAfter(failure);
            if (delay == null || delay.compareTo(attempts.left()) >= 0) {
                circuit.leave(failure.timedOut());
                throw failure.exception(attempts.sent());
            }
            hooks.onRetry(new Hooks.Retry(attempts.event(), failure.code(), delay));
            try {
                clocks.sleep(delay);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw Failure.aborted(e).exception(attempts.sent());
            }
        }
    }
}
