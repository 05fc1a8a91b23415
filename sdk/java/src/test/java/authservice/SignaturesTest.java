package authservice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.net.URI;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.Test;

/** The signatures of the conformance kit, and how requests and keys are signed and shown. */
public class SignaturesTest {
    private static final Pattern PARAM = Pattern.compile(";(\\w+)=\"?([^\";]+)");
    private static final Pattern PARAMS = Pattern.compile("^;created=\\d+;nonce=\"[^\"\\\\]*\";keyid=\"[^\"]*\"(;expires=\\d+)?$");
    private static final URI ADDRESS = URI.create(Kit.ORIGIN + "/api/service/users/ada/access");

    private record Vector(Members all, Members request) {
        String header(String name) {
            return Members.of(request.all().get("headers")).all().get(name) instanceof String text ? text : "";
        }

        byte[] body() {
            if (request.all().get("body") != null) return request.text("body").getBytes(UTF_8);
            return request.all().get("bodyBase64") == null ? new byte[0] : Base64.getDecoder().decode(request.text("bodyBase64"));
        }

        /** Whether the profile of the SDK signs such a request: the required components in their order, and no more parameters. */
        boolean isOurs() {
            var url = request.text("url");
            var key = Members.of(all.all().get("key"));
            if (!all.text("expected").equals("accepted") || !key.text("algorithm").equals("hmac-sha256")) return false;
            if (url.contains("|") || header("Content-Digest").contains("sha-512")) return false;
            var headers = Members.of(request.all().get("headers")).all().values();
            if (!headers.stream().allMatch(String.class::isInstance)) return false;
            var covered = "sig1=(\"@method\" \"@authority\" \"@path\"";
            if (url.matches(".*\\?.+")) covered += " \"@query\"";
            if (body().length > 0) covered += " \"content-digest\"";
            if (!header("If-Match").isEmpty()) covered += " \"if-match\"";
            var input = header("Signature-Input");
            return input.startsWith(covered + ")") && PARAMS.matcher(input.substring(covered.length() + 1)).matches();
        }

        void compare() {
            Map<String, String> params = new HashMap<>();
            PARAM.matcher(header("Signature-Input")).results().forEach(found -> params.put(found.group(1), found.group(2)));
            var key = Members.of(all.all().get("key"));
            var ifMatch = header("If-Match").strip();
            var itsKey = new Key(key.text("id"), key.text("secret"));
            var signer = new RequestSigner(itsKey, params.get("nonce"), at(params, "created"), at(params, "expires"), ifMatch);
            var signed = signer.sign(request.text("method"), URI.create(request.text("url")), body());
            assertEquals(all.text("name"), all.text("signatureBase"), signed.base());
            assertEquals("sig1=:" + all.text("signature") + ":", signed.headers().get("Signature"));
            assertEquals(header("Signature-Input"), signed.headers().get("Signature-Input"));
            assertEquals(header("Content-Digest"), signed.headers().getOrDefault("Content-Digest", ""));
        }

        private static Instant at(Map<String, String> params, String name) {
            return params.get(name) == null ? null : Instant.ofEpochSecond(Long.parseLong(params.get(name)));
        }
    }

    @Test
    public void equalThoseOfTheKit() {
        var ours = Kit.cases("signatures").stream()
                .map(each -> (Members) each[1])
                .map(each -> new Vector(each, Members.of(each.all().get("request"))))
                .filter(Vector::isOurs)
                .toList();
        assertTrue("only " + ours.size() + " of the accepted vectors are signed", ours.size() > 20);
        ours.forEach(Vector::compare);
    }

    @Test
    public void areOfNowWithANewNonce() {
        var signer = new RequestSigner(Kit.KEY);
        var before = Instant.now().getEpochSecond();
        var signed = List.of(signer.sign("GET", ADDRESS, new byte[0]), signer.sign("GET", ADDRESS, new byte[0]));
        assertNotEquals(signed.get(0).nonce(), signed.get(1).nonce());
        for (var each : signed) {
            var input = each.headers().get("Signature-Input");
            var created = PARAM.matcher(input).results().findFirst().orElseThrow().group(2);
            assertTrue(Long.parseLong(created) >= before && Long.parseLong(created) <= Instant.now().getEpochSecond());
            assertTrue(input, each.nonce().length() == 32 && input.contains(each.nonce()) && !input.contains("expires"));
        }
    }

    @Test
    public void haveTimesThatAreRoundedOutwards() {
        var created = Kit.START.plusMillis(900);
        var signer = new RequestSigner(Kit.KEY, "n", created, created.plusSeconds(1), null);
        var signed = signer.sign("GET", URI.create(Kit.ORIGIN), new byte[0]);
        var wanted = "sig1=(\"@method\" \"@authority\" \"@path\");created=%d;nonce=\"n\";keyid=\"%s\";expires=%d";
        var seconds = Kit.START.getEpochSecond();
        assertEquals(wanted.formatted(seconds, Kit.KEY.id(), seconds + 2), signed.headers().get("Signature-Input"));
    }

    @Test
    public void carryNoQuoteAndNoLine() {
        for (var nonce : List.of("n\";keyid=\"x", "n\\", "n\n")) {
            assertThrows(IllegalArgumentException.class, () -> new RequestSigner(Kit.KEY, nonce, null, null, null));
        }
        assertThrows(IllegalArgumentException.class, () -> new RequestSigner(Kit.KEY, null, null, null, "\"1\"\r\nX: y"));
    }

    @Test
    public void whatIsNoKeyIsRefusedWithoutItsValues() {
        var secret = "svs_" + "A".repeat(43);
        var id = Kit.KEY.id();
        var pairs = new String[][] {
            {"", secret}, {null, secret}, {secret, secret}, {id, id}, {id, secret + "\n"}, {id + "\n", secret}
        };
        for (var wrong : pairs) {
            var refused = assertThrows(IllegalArgumentException.class, () -> new Key(wrong[0], wrong[1]));
            assertFalse(refused.getMessage(), refused.getMessage().contains("AAAA") || refused.getMessage().contains("01JD2Y8Q4M"));
        }
        var json = "{\"baseUrl\":\"https://a\",\"keyId\":\"%s\",\"secret\":\"%s\"}".formatted(secret, secret);
        for (var wrong : List.of(json, "{}", "[]", json + "x")) {
            var refused = assertThrows(IllegalArgumentException.class, () -> ClientOptions.parse(wrong));
            assertFalse(refused.getMessage(), refused.getMessage().contains("AAAA"));
        }
    }

    @Test
    public void theSecretOfAKeyIsNotShown() {
        var options = ClientOptions.parse("{\"baseUrl\":\"%s\",\"keyId\":\"%s\",\"secret\":\"%s\"}"
                .formatted(Kit.ORIGIN, Kit.KEY.id(), Kit.KEY.secret()));
        var shown = "%s %s %s %s".formatted(Kit.KEY, options, new Client(options), new RequestSigner(Kit.KEY));
        assertFalse(shown, shown.contains("svs_"));
        assertTrue(shown, shown.contains(Kit.KEY.id()) && shown.contains(Kit.ORIGIN));
        assertEquals("billing", Kit.KEY.appId());
    }
}
