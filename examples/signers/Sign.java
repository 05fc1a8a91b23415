import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.http.HttpRequest;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Sign {
    /** Adds the headers of a signature to a request, and returns the signature base that they sign. */
    static String sign(HttpRequest.Builder request, byte[] body, String keyId, String secret, String created, String nonce)
            throws GeneralSecurityException {
        var method = request.build().method();
        var uri = request.build().uri();
        var defaultPort = uri.getScheme().equals("https") ? ":443$" : ":80$";
        var covered = new LinkedHashMap<>(Map.of("@method", method));
        covered.put("@authority", uri.getRawAuthority().toLowerCase(Locale.ROOT).replaceFirst(defaultPort, ""));
        covered.put("@path", uri.getRawPath());
        if (!Objects.requireNonNullElse(uri.getRawQuery(), "").isEmpty()) covered.put("@query", "?" + uri.getRawQuery());
        if (body.length > 0) {
            covered.put("content-digest", "sha-256=:" + base64(MessageDigest.getInstance("SHA-256").digest(body)) + ":");
            request.header("Content-Digest", covered.get("content-digest"));
        }
        var names = String.join("\" \"", covered.keySet());
        var params = "(\"%s\");created=%s;nonce=\"%s\";keyid=\"%s\"".formatted(names, created, nonce, keyId);
        covered.put("@signature-params", params);
        var base = new StringJoiner("\n");
        covered.forEach((name, value) -> base.add("\"%s\": %s".formatted(name, value)));
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        request.header("Signature-Input", "sig1=" + params);
        request.header("Signature", "sig1=:" + base64(mac.doFinal(base.toString().getBytes(UTF_8))) + ":");
        return base.toString();
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
