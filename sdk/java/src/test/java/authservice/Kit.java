package authservice;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The cases of the conformance kit, in virtual time. */
final class Kit {
    static final String ORIGIN = "https://auth.example.com";
    static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    static final Key KEY = new Key("svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX", "svs_this-is-test-data-and-it-opens-no-door-here");
    private static final Path FOLDER = Path.of(System.getProperty("kit"));
    private static final Pattern PARAMS = Pattern.compile(";created=(\\d+);nonce=\"([^\"]+)\";keyid=\"[^\"]+\";expires=(\\d+)$");

    private Kit() {}

    /** Returns the cases of one file of the kit, each with its name, as JUnit's parameters. */
    static List<Object[]> cases(String name) {
        var manifest = Members.of(read(FOLDER.resolve("kit.json")));
        if (manifest.integer("version") != 1) throw new IllegalStateException("the kit has another version");
        var content = read(FOLDER.resolve(Members.of(manifest.all().get("files")).text(name)));
        var cases = content instanceof List<?> list ? list : Members.of(content).list("cases");
        return cases.stream().map(Members::of).map(each -> new Object[] {each.text("name"), each}).toList();
    }

    private static Object read(Path path) {
        try {
            return Json.parse(Files.readAllBytes(path));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Time that moves only when the SDK waits. */
    static final class VirtualTime implements Clocks {
        private long passed;

        @Override
        public Instant now() {
            return START.plusNanos(passed);
        }

        @Override
        public long monotonic() {
            return passed;
        }

        @Override
        public double random() {
            return 0;
        }

        @Override
        public void sleep(Duration duration) {
            if (!duration.isNegative()) passed += duration.toNanos();
        }

        double milliseconds() {
            return passed / 1e6;
        }
    }

    static Duration seconds(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    /** The parameters of a signature: created, nonce and expires. */
    static Matcher params(Exchanger.Request request) {
        var found = PARAMS.matcher(request.headers().get("Signature-Input"));
        if (!found.find()) throw new AssertionError("the parameters of the signature are " + request.headers());
        return found;
    }

    /** Returns the answer of an exchange to a request with this nonce. */
    static Answer answer(Members exchange, String nonce) {
        var given = exchange.all();
        var status = given.get("status") == null ? 200 : (int) exchange.integer("status");
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Content-Type", status < 400 ? "application/json" : "application/problem+json");
        headers.put("Request-Nonce", nonce);
        if (given.containsKey("nonce")) headers.put("Request-Nonce", exchange.textOrNull("nonce"));
        if (given.get("headers") != null) {
            Members.of(given.get("headers")).all().forEach((name, value) -> headers.put(name, (String) value));
        }
        var lists = new HashMap<String, List<String>>();
        headers.forEach((name, value) -> {
            if (value != null) lists.put(name, List.of(value));
        });
        var json = given.containsKey("body") ? CanonicalJson.write(given.get("body")) : "";
        var text = given.get("body") instanceof String body ? body : json;
        return new Answer(status, HttpHeaders.of(lists, (name, value) -> true), text.getBytes(UTF_8));
    }
}
