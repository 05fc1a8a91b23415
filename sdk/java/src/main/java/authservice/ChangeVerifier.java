package authservice;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;
import java.util.HashMap;
import java.util.Objects;
import java.util.regex.Pattern;

/** Verifies that the service signed a change: the {@code raw} of a {@link Change}, or the detail of an event. */
public final class ChangeVerifier {
    private static final Pattern DETACHED = Pattern.compile("([A-Za-z0-9_-]{1,200})\\.\\.([A-Za-z0-9_-]{86})");

    private final KeyFinder keys;

    /** Verifies with these keys, usually {@link ChangeKeys}. */
    public ChangeVerifier(KeyFinder keys) {
        this.keys = Objects.requireNonNull(keys, "keys");
    }

    /** Why a change is not verified. Only the last one says nothing about the change. */
    public enum Reason {
        /** The service did not sign it, or somebody removed the signature. */
        MISSING_SIGNATURE,
        /** The signature is not one of the service's form. */
        MALFORMED,
        /** The service has no key of the name in the signature. */
        UNKNOWN_KEY,
        /** It is not what the service signed. */
        ALTERED,
        /** The keys could not be fetched: try again. */
        KEYS_UNAVAILABLE
    }

    /** A change must not be trusted. */
    public static final class NotVerified extends Exception {
        private static final long serialVersionUID = 1;

        /** Why it is not verified. */
        private final Reason reason;

        NotVerified(Reason reason, Throwable cause) {
            super("the change is not verified: " + reason, cause);
            this.reason = reason;
        }

        /** Returns why. */
        public Reason reason() {
            return reason;
        }
    }

    /**
     * Returns if the service signed exactly this change. It does not tell whether the change is the newest one, or was received before.
     *
     * @throws NotVerified otherwise
     * @throws InterruptedException if the thread is interrupted while keys are fetched
     */
    public void verify(String change) throws NotVerified, InterruptedException {
        var members = read(change);
        var given = members.remove("signature");
        if (given == null) throw new NotVerified(Reason.MISSING_SIGNATURE, null);
        var signature = Detached.parse(given);
        var key = find(signature.name());
        try {
            var content = Base64.getUrlEncoder().withoutPadding().encodeToString(CanonicalJson.write(members).getBytes(UTF_8));
            if (isSigned(key, signature.header() + "." + content, signature.mac())) return;
        } catch (Json.Malformed e) {
            throw new NotVerified(Reason.ALTERED, e);
        }
        throw new NotVerified(Reason.ALTERED, null);
    }

    private static HashMap<String, Object> read(String change) throws NotVerified {
        try {
            return new HashMap<>(Members.of(Json.parse(change)).all());
        } catch (Json.Malformed e) {
            throw new NotVerified(Reason.ALTERED, e);
        }
    }

    private PublicKey find(String name) throws NotVerified, InterruptedException {
        try {
            return keys.find(name).orElseThrow(() -> new NotVerified(Reason.UNKNOWN_KEY, null));
        } catch (IOException e) {
            throw new NotVerified(Reason.KEYS_UNAVAILABLE, e);
        }
    }

    private static boolean isSigned(PublicKey key, String content, byte[] mac) {
        try {
            var verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(key);
            verifier.update(content.getBytes(US_ASCII));
            return verifier.verify(mac);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** A JWS with detached content (RFC 7515, appendix F). Its header names the algorithm, never another one. */
    private record Detached(String header, String name, byte[] mac) {
        static Detached parse(Object given) throws NotVerified {
            try {
                var found = DETACHED.matcher((String) given);
                if (!found.matches()) throw new Json.Malformed("not a detached JWS");
                var decoder = Base64.getUrlDecoder();
                var header = Members.parse(decoder.decode(found.group(1)));
                var isOurs = header.text("alg").equals("EdDSA") && !header.all().containsKey("crit");
                if (!isOurs) throw new Json.Malformed("another algorithm");
                return new Detached(found.group(1), header.text("kid"), decoder.decode(found.group(2)));
            } catch (Json.Malformed | IllegalArgumentException | ClassCastException e) {
                throw new NotVerified(Reason.MALFORMED, e);
            }
        }
    }
}
