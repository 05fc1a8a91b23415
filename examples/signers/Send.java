import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Signs a request and sends it: KEY_ID=... SECRET=... java -cp out Send METHOD URL [BODY] */
class Send {
    public static void main(String[] args) throws Exception {
        var env = System.getenv();
        var created = env.getOrDefault("SIGN_CREATED", Long.toString(Instant.now().getEpochSecond()));
        var nonce = env.getOrDefault("SIGN_NONCE", UUID.randomUUID().toString());
        var body = args.length > 2 ? args[2].getBytes(UTF_8) : new byte[0];
        var request = HttpRequest.newBuilder(URI.create(args[1]))
                .method(args[0], body.length > 0 ? BodyPublishers.ofByteArray(body) : BodyPublishers.noBody())
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(10));
        if (env.containsKey("IF_MATCH")) request.header("If-Match", env.get("IF_MATCH"));
        var base = Sign.sign(request, body, env.get("KEY_ID"), env.get("SECRET"), created, nonce);
        if (env.containsKey("SIGN_ONLY")) {
            System.out.println(base + "\n\n" + request.build().headers().firstValue("Signature").orElseThrow());
            return;
        }
        // Follows no redirect, which is the default.
        var answer = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
        if (!answer.headers().firstValue("Request-Nonce").equals(Optional.of(nonce))) {
            System.err.printf("HTTP %d, not the service's answer to this request%n", answer.statusCode());
            System.exit(1);
        }
        System.out.println(answer.body());
        System.exit(answer.statusCode() / 100 == 2 ? 0 : 1);
    }
}
