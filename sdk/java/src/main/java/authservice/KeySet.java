package authservice;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** The public keys of the service, Ed25519 keys as JWKs (RFC 7517, RFC 8037). */
public final class KeySet implements KeyFinder {
    /** What precedes the 32 bytes of a key in its X.509 form (RFC 8410 section 4). */
    private static final byte[] PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private static final int KEY_BYTES = 32;

    private final Map<String, PublicKey> keys;

    private KeySet(Map<String, PublicKey> keys) {
        this.keys = Map.copyOf(keys);
    }

    /** Returns a set without keys. */
    static KeySet empty() {
        return new KeySet(Map.of());
    }

    /**
     * Reads the answer of GET /api/service/change-keys. Keys of another form are left out.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static KeySet parse(byte[] body) {
        try {
            var found = new HashMap<String, PublicKey>();
            for (var each : Members.parse(body).objects("keys")) {
                var key = keyOf(each);
                if (key != null) found.put(each.text("kid"), key);
            }
            return new KeySet(found);
        } catch (Json.Malformed e) {
            throw new IllegalArgumentException("not a set of keys");
        }
    }

    private static PublicKey keyOf(Members jwk) {
        if (!"OKP".equals(jwk.all().get("kty")) || !"Ed25519".equals(jwk.all().get("crv"))) return null;
        try {
            var x = Base64.getUrlDecoder().decode(jwk.text("x"));
            if (x.length != KEY_BYTES) return null;
            var encoded = new byte[PREFIX.length + KEY_BYTES];
            System.arraycopy(PREFIX, 0, encoded, 0, PREFIX.length);
            System.arraycopy(x, 0, encoded, PREFIX.length, KEY_BYTES);
            return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            return null;
        }
    }

    @Override
    public Optional<PublicKey> find(String name) {
        return Optional.ofNullable(keys.get(name));
    }
}
