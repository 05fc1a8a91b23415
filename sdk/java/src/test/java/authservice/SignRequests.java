package authservice;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Prints random signed requests, one JSON object a line, for another library to verify. */
final class SignRequests {
    private static final String CHARACTERS = "abcXYZ019-._~!$&'()*+,;=:@|";
    private static final Instant CREATED = Instant.ofEpochSecond(1_795_201_200);
    private static final List<String> ORIGINS =
            List.of("https://auth.example.com", "https://auth.example.com:8443", "http://127.0.0.1:3000");
    private static final List<String> METHODS = List.of("GET", "PUT", "POST", "DELETE");
    private static final List<String> BODIES = List.of("{\"reason\":\"left – “for good”\"}", "{\"reason\":\"" + "x".repeat(200) + "\"}");

    private final Random chance = new Random(9421);

    public static void main(String[] args) {
        var out = new PrintStream(System.out, true, UTF_8);
        var requests = new SignRequests();
        for (var i = 0; i < 500; i++) out.println(CanonicalJson.write(requests.signed()));
    }

    private Map<String, Object> signed() {
        var user = new StringBuilder();
        for (var i = 1 + chance.nextInt(40); i > 0; i--) user.append(CHARACTERS.charAt(chance.nextInt(CHARACTERS.length())));
        var id = Ids.encode(user.toString());
        var query = chance.nextDouble() < 0.4 ? "?role=" + id : "";
        var uri = URI.create(ORIGINS.get(chance.nextInt(3)) + "/api/service/users/" + id + "/access" + query);
        var body = chance.nextDouble() < 0.6 ? BODIES.get(chance.nextInt(2)) : "";
        var ifMatch = chance.nextDouble() < 0.5 ? "\"" + chance.nextInt(100) + "\"" : null;
        var method = METHODS.get(chance.nextInt(4));
        var signer = new RequestSigner(Kit.KEY, null, CREATED, CREATED.plusSeconds(9), ifMatch);
        var headers = new TreeMap<String, Object>();
        var signed = signer.sign(method, uri, body.getBytes(UTF_8));
        signed.headers().forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), value));
        return Map.of("method", method, "url", uri.toString(), "headers", headers, "body", body);
    }
}
