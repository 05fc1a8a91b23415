package authservice;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

/** Options of a {@link Client}. Only the address and a key are required. */
public final class ClientOptions {
    private static final Pattern ORIGIN = Pattern.compile("(https?)://([!-~&&[^/@?#\\\\]]+)/?(?:api/service/?)?");
    private static final Pattern LOCAL = Pattern.compile("http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?");

    final String baseUrl;
    final KeySource key;
    Duration timeout = Duration.ofSeconds(10);
    int maxAttempts = 4;
    int circuitTimeouts = 3;
    Duration circuitOpen = Duration.ofSeconds(5);
    Hooks hooks = new Hooks() {};
    boolean allowHttp;
    HttpClient httpClient;

    /** Gives scheme and host of the service, such as https://auth.example.com, and the source of the API key. */
    public ClientOptions(String baseUrl, KeySource key) {
        this.baseUrl = Objects.requireNonNull(baseUrl, "baseUrl");
        this.key = Objects.requireNonNull(key, "key");
    }

    /** Gives scheme and host of the service, such as https://auth.example.com, and the API key. */
    public ClientOptions(String baseUrl, Key key) {
        this(baseUrl, new FixedKey(key));
    }

    private record FixedKey(Key key) implements KeySource {
        FixedKey {
            Objects.requireNonNull(key, "key");
        }

        @Override
        public Key read(Duration timeout) {
            return key;
        }
    }

    /**
     * Reads a JSON object with baseUrl, keyId and secret, such as a secret of a store.
     *
     * @throws IllegalArgumentException without any value, if it is none or the key is not valid
     */
    public static ClientOptions parse(String json) {
        try {
            var given = Members.of(Json.parse(json));
            return new ClientOptions(given.text("baseUrl"), new Key(given.text("keyId"), given.text("secret")));
        } catch (Json.Malformed e) {
            throw new IllegalArgumentException("the options must be a JSON object with baseUrl, keyId and secret");
        }
    }

    /** Limits a call, with all attempts and the pauses between them; 10 seconds by default, at most 300. */
    public ClientOptions timeout(Duration time) {
        timeout = requireTimeout(time);
        return this;
    }

    static Duration requireTimeout(Duration time) {
        if (time.isNegative() || time.isZero() || time.compareTo(Caller.MAX_CALL_TIME) > 0) {
            throw new IllegalArgumentException("a timeout must be positive and at most 300 seconds");
        }
        return time;
    }

    /** Limits the requests of a call; 4 by default, 1 means no retry, at most 100. Each may take its share of the remaining time. */
    public ClientOptions maxAttempts(int attempts) {
        if (attempts < 1 || attempts > 100) throw new IllegalArgumentException("maxAttempts must be from 1 to 100");
        maxAttempts = attempts;
        return this;
    }

    /**
     * Says when the client stops sending requests to a service that does not answer.
     *
     * @param timeouts the number of consecutive timed-out calls that opens the circuit; 3 by default, 0 keeps it closed
     * @param open how long calls then fail immediately, until one call is let through as a probe; 5 seconds by default
     */
    public ClientOptions circuit(int timeouts, Duration open) {
        if (timeouts < 0 || open.isNegative() || open.isZero() || open.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("a circuit needs timeouts from 0, and open up to a day");
        }
        circuitTimeouts = timeouts;
        circuitOpen = open;
        return this;
    }

    /** Sets callbacks for telemetry. */
    public ClientOptions hooks(Hooks callbacks) {
        hooks = Objects.requireNonNull(callbacks, "hooks");
        return this;
    }

    /** Allows http:// to other machines, where anyone on the network can answer "enabled". */
    public ClientOptions allowHttp() {
        allowHttp = true;
        return this;
    }

    /**
     * Sends the requests by this client, for example through a proxy; by default by one that ignores proxies.
     *
     * @throws IllegalArgumentException if it follows redirects, or has cookies or an authenticator: it would send more than was signed
     */
    public ClientOptions httpClient(HttpClient client) {
        var isPlain = client.followRedirects() == HttpClient.Redirect.NEVER && client.cookieHandler().isEmpty();
        if (!isPlain || client.authenticator().isPresent()) {
            throw new IllegalArgumentException("the HTTP client must not follow redirects, and have neither cookies nor an authenticator");
        }
        httpClient = client;
        return this;
    }

    /**
     * Returns scheme and host, without a trailing slash. Plain http to other machines is not valid: anyone on the network could answer
     * "enabled".
     */
    static String origin(String baseUrl, boolean allowHttp) {
        var invalid = new IllegalArgumentException("baseUrl must be https://host, or http://host with allowHttp");
        var found = ORIGIN.matcher(baseUrl);
        if (!found.matches()) throw invalid;
        try {
            var uri = new URI(found.group(1) + "://" + found.group(2)).parseServerAuthority();
            if (uri.getHost() == null || uri.getPort() > 65_535) throw invalid;
            var origin = uri.getScheme() + "://" + RequestSigner.authorityOf(uri);
            if (origin.startsWith("http://") && !allowHttp && !LOCAL.matcher(origin).matches()) throw invalid;
            return origin;
        } catch (URISyntaxException e) {
            throw invalid;
        }
    }

    /** Returns the address, because the options have a secret. */
    @Override
    public String toString() {
        return "ClientOptions[" + baseUrl + "]";
    }
}
