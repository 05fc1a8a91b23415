package authservice;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.function.UnaryOperator;

/** Verifies deliveries in the format Standard Webhooks 1.0.0. During the rotation of a secret, the old and the new one are both valid. */
public final class WebhookVerifier {
    /** How old a delivery may be, or ahead of this machine's clock. */
    private static final long TOLERANCE_SECONDS = 300;

    private final byte[] key;

    /**
     * Takes the secret of the webhook, whsec_….
     *
     * @throws IllegalArgumentException without the secret, if it is none
     */
    public WebhookVerifier(String secret) {
        var encoded = orEmpty(secret).replaceFirst("^whsec_", "");
        byte[] decoded;
        try {
            decoded = Base64.getDecoder().decode(encoded);
        } catch (IllegalArgumentException e) {
            decoded = new byte[0];
        }
        if (decoded.length == 0) throw new IllegalArgumentException("the secret of the webhook must be whsec_...");
        key = decoded;
    }

    /** A delivery must not be trusted. Answer it with 400. */
    public static final class NotVerified extends Exception {
        private static final long serialVersionUID = 1;

        NotVerified(String message) {
            super(message);
        }
    }

    /**
     * Verifies a delivery and returns its content.
     *
     * @param header returns a header by its name, null if there is none, such as {@code request::getHeader}
     * @param body the bytes exactly as received, before anything decodes them
     */
    public Delivery verify(UnaryOperator<String> header, byte[] body) throws NotVerified {
        return verify(header, body, Instant.now());
    }

    Delivery verify(UnaryOperator<String> header, byte[] body, Instant now) throws NotVerified {
        var id = orEmpty(header.apply("webhook-id"));
        var timestamp = orEmpty(header.apply("webhook-timestamp"));
        if (id.isEmpty() || !timestamp.matches("-?[0-9]{1,15}")) {
            throw new NotVerified("webhook-id or webhook-timestamp is missing or malformed");
        }
        var mac = RequestSigner.hmac(key, (id + "." + timestamp + ".").getBytes(UTF_8), body);
        if (!hasSignature(orEmpty(header.apply("webhook-signature")), mac)) {
            throw new NotVerified("no signature in webhook-signature is right");
        }
        if (Math.abs(now.getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) {
            throw new NotVerified("webhook-timestamp is too old, or ahead of this machine's clock");
        }
        return read(id, body);
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    private static boolean hasSignature(String given, byte[] expected) {
        var right = ("v1," + RequestSigner.base64(expected)).getBytes(UTF_8);
        for (var one : given.split(" ")) {
            if (MessageDigest.isEqual(one.getBytes(UTF_8), right)) return true;
        }
        return false;
    }

    private static Delivery read(String id, byte[] body) throws NotVerified {
        try {
            var content = Members.parse(body);
            var timestamp = Members.parseTime(content.text("timestamp"));
            return new Delivery(id, content.text("type"), timestamp, Change.read(Members.of(content.all().get("data"))));
        } catch (Json.Malformed e) {
            throw new NotVerified("the body is not a delivery of the service");
        }
    }
}
