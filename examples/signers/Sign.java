import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.http.HttpRequest;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Sign {
    /** Adds a signature, and returns its base. The nonce identifies the call: a retry keeps it and uses a later time. */
    static String sign(HttpRequest.Builder request, byte[] body, String keyId, String secret, String created, String nonce)
            throws GeneralSecurityException {
        var uri = request.build().uri();
        var defaultPort = uri.getScheme().equals("https") ? ":443$" : ":80$";
        var covered = new LinkedHashMap<>(Map.of("@method", request.build().method()));
        covered.put("@authority", uri.getRawAuthority().toLowerCase(Locale.ROOT).replaceFirst(defaultPort, ""));
        covered.put("@path", uri.getRawPath());
        if (!Objects.requireNonNullElse(uri.getRawQuery(), "").isEmpty()) covered.put("@query", "?" + uri.getRawQuery());
        if (body.length > 0) {
            covered.put("content-digest", "sha-256=:" + base64(MessageDigest.getInstance("SHA-256").digest(body)) + ":");
            request.header("Content-Digest", covered.get("content-digest"));
        }
        request.build().headers().firstValue("If-Match").ifPresent(versions -> covered.put("if-match", versions));
        var params = "(\"%s\");created=%s;nonce=\"%s\";keyid=\"%s\""
                .formatted(String.join("\" \"", covered.keySet()), created, nonce, keyId);
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
