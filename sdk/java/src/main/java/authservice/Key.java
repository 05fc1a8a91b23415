package authservice;

import java.util.regex.Pattern;

/**
 * An API key, as issued. Its secret is never sent or printed.
 *
 * @param id svk_…, which is sent with each request
 * @param secret svs_…
 */
public record Key(String id, String secret) {
    private static final Pattern ID = Pattern.compile("svk_[A-Za-z0-9]+_[a-z0-9-]+_[A-Za-z0-9]+");
    private static final Pattern SECRET = Pattern.compile("svs_[A-Za-z0-9_-]{43}");

    /**
     * Checks both, because the id is sent: a secret must not be accepted in its place.
     *
     * @throws IllegalArgumentException without the values: any may be a misplaced secret
     */
    public Key {
        if (id == null || !ID.matcher(id).matches()) throw invalid("id", id, "svk_...");
        if (secret == null || !SECRET.matcher(secret).matches()) throw invalid("secret", secret, "svs_...");
    }

    private static IllegalArgumentException invalid(String part, String value, String form) {
        var state = value == null || value.isEmpty() ? "missing" : "not valid";
        return new IllegalArgumentException("the " + part + " of the key is " + state + ": it must be " + form);
    }

    /** Returns the application, which the id names. */
    public String appId() {
        return id.split("_")[2];
    }

    /** Returns the key without its secret. */
    @Override
    public String toString() {
        return "Key[" + id + ", (secret)]";
    }
}
