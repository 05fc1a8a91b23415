package authservice;

import java.io.IOException;
import java.net.URI;
import java.security.PublicKey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Fetches the service's public keys when they are first needed, and keeps them for an hour. An unknown name fetches them again, at most
 * once a minute. While the service does not answer, known keys are still used. It serves any number of threads, and needs no API key.
 */
public final class ChangeKeys implements KeyFinder {
    private static final Duration KEEP = Duration.ofHours(1);
    /** Invented names must not make the receiver call the service for each change. */
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_BYTES = 65_536;

    private final URI uri;
    private final Clocks clocks;
    private final Exchanger exchanger;
    private KeySet known = KeySet.empty();
    /** Null before the first fetch. */
    private Long fetchedAt;

    private Long triedAt;
    private IOException failure;

    /**
     * Takes scheme and host of the service.
     *
     * @throws IllegalArgumentException for an address that is not valid; http:// is only for this machine
     */
    public ChangeKeys(String baseUrl) {
        this(baseUrl, Clocks.SYSTEM, HttpExchanger.standard());
    }

    ChangeKeys(String baseUrl, Clocks clocks, Exchanger exchanger) {
        uri = URI.create(ClientOptions.origin(baseUrl, false) + "/api/service/change-keys");
        this.clocks = clocks;
        this.exchanger = exchanger;
    }

    @Override
    public synchronized Optional<PublicKey> find(String name) throws IOException, InterruptedException {
        var key = known.find(name);
        var isFresh = key.isPresent() && isWithin(KEEP, fetchedAt);
        if (!isFresh && !isWithin(PAUSE, triedAt)) {
            refresh();
            key = known.find(name);
        }
        if (key.isEmpty() && failure != null) throw new IOException("the keys are unavailable", failure);
        return key;
    }

    private boolean isWithin(Duration duration, Long since) {
        return since != null && clocks.monotonic() - since < duration.toNanos();
    }

    /** An interrupted caller says nothing about the service. */
    private void refresh() throws InterruptedException {
        try {
            known = fetch();
            fetchedAt = clocks.monotonic();
            failure = null;
        } catch (IOException e) {
            failure = e;
        }
        triedAt = clocks.monotonic();
    }

    private KeySet fetch() throws IOException, InterruptedException {
        var request = new Exchanger.Request("GET", uri, Map.of("Accept", "application/json"), new byte[0]);
        var answer = exchanger.exchange(request, TIMEOUT);
        if (answer.status() != 200) throw new IOException("the service answered " + answer.status());
        if (answer.body().length > MAX_BYTES) throw new IOException("the answer is too long");
        try {
            return KeySet.parse(answer.body());
        } catch (IllegalArgumentException e) {
            throw new IOException(e);
        }
    }
}
