package authservice;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs a request for another HTTP client, by the service's profile of HTTP Message Signatures (RFC 9421).
 *
 * <p>Send exactly this URI and exactly these bytes of the body, and follow no redirect. Accept only an answer whose header
 * Request-Nonce is the nonce. The signature is valid for five minutes, and for one write.
 *
 * @param nonce identifies the call: sign each retry with that of the first attempt and a later {@code created}, for at most 300
 *     seconds; null for 128 random bits
 * @param created the time of the signature; null for now
 * @param expires when the service stops accepting the request, at most five minutes after {@code created}; null for then
 * @param ifMatch the header If-Match; null for none
 */
public record RequestSigner(Key key, String nonce, Instant created, Instant expires, String ifMatch) {
    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * Requires a key, and values that a header can carry.
     *
     * @throws IllegalArgumentException for a nonce or an If-Match with another character
     */
    public RequestSigner {
        Objects.requireNonNull(key, "key");
        if (nonce != null && !nonce.matches("[ !#-\\[\\]-~]*")) throw new IllegalArgumentException("a signature cannot carry this nonce");
        if (ifMatch != null && !ifMatch.matches("[ -~]*")) throw new IllegalArgumentException("a header cannot carry this If-Match");
    }

    /** Signs now, with a new nonce for each request. */
    public RequestSigner(Key key) {
        this(key, null, null, null, null);
    }

    /**
     * A signature of one request.
     *
     * @param headers those to send: Signature-Input and Signature, Content-Digest for a body, and If-Match if it is given
     * @param base the text that was signed
     */
    public record Signed(String nonce, Map<String, String> headers, String base) {}

    /** Signs a request, whose body may be empty. Its time is rounded down, its end up. */
    public Signed sign(String method, URI uri, byte[] body) {
        var headers = new LinkedHashMap<String, String>();
        var covered = new LinkedHashMap<String, String>();
        covered.put("@method", method);
        covered.put("@authority", authorityOf(uri));
        covered.put("@path", uri.getRawPath().isEmpty() ? "/" : uri.getRawPath());
        if (uri.getRawQuery() != null && !uri.getRawQuery().isEmpty()) covered.put("@query", "?" + uri.getRawQuery());
        if (body.length > 0) {
            headers.put("Content-Digest", "sha-256=:" + base64(sha256(body)) + ":");
            covered.put("content-digest", headers.get("Content-Digest"));
        }
        if (ifMatch != null && !ifMatch.isEmpty()) {
            headers.put("If-Match", ifMatch);
            covered.put("if-match", ifMatch);
        }
        var usedNonce = nonce == null ? newNonce() : nonce;
        var params = params(covered.keySet(), usedNonce);
        covered.put("@signature-params", params);
        List<String> lines = new ArrayList<>();
        covered.forEach((name, value) -> lines.add("\"" + name + "\": " + value));
        var base = String.join("\n", lines);
        headers.put("Signature-Input", "sig1=" + params);
        headers.put("Signature", "sig1=:" + base64(hmac(key.secret().getBytes(UTF_8), base.getBytes(UTF_8))) + ":");
        return new Signed(usedNonce, Map.copyOf(headers), base);
    }

    private String params(Iterable<String> names, String usedNonce) {
        var seconds = (created == null ? Instant.now() : created).getEpochSecond();
        var params = "(\"%s\");created=%d;nonce=\"%s\";keyid=\"%s\"".formatted(String.join("\" \"", names), seconds, usedNonce, key.id());
        if (expires == null) return params;
        return params + ";expires=" + Math.max(seconds, expires.plusNanos(999_999_999).getEpochSecond());
    }

    /** Returns the host in lower case, and the port unless it is the default of the scheme (RFC 9421 section 2.2.3). */
    static String authorityOf(URI uri) {
        var host = uri.getHost().toLowerCase(Locale.ROOT);
        var isDefault = uri.getPort() == ("https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80);
        return uri.getPort() < 0 || isDefault ? host : host + ":" + uri.getPort();
    }

    /** Returns 128 random bits, which identify a call. */
    static String newNonce() {
        var random = new byte[16];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    static byte[] hmac(byte[] secret, byte[]... parts) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            for (var part : parts) mac.update(part);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Returns which line of two signature bases differs, or that only the secret can be wrong. */
    static String describeDifference(String signed, String expected) {
        var ours = signed.split("\n", -1);
        var theirs = expected.split("\n", -1);
        for (var i = 0; i < theirs.length; i++) {
            if (i >= ours.length) return "nothing was signed where the server has " + theirs[i];
            if (!ours[i].equals(theirs[i])) return "signed " + ours[i] + ", the server has " + theirs[i];
        }
        return "same signature base: wrong secret";
    }
}
