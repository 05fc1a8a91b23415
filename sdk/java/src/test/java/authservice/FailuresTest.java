package authservice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** The calls of the conformance kit whose requests fail. */
@RunWith(Parameterized.class)
public class FailuresTest {
    @Parameters(name = "{0}")
    public static List<Object[]> cases() {
        return Kit.cases("failures");
    }

    @Parameter public String name;

    @Parameter(1)
    public Object parameter;

    private Members given;
    private Client client;
    private final Kit.VirtualTime time = new Kit.VirtualTime();
    private final Map<String, Integer> calls = new HashMap<>();
    private final List<Map<String, Object>> sent = new ArrayList<>();

    @Test
    public void endsAsTheKitSays() {
        given = (Members) parameter;
        var options = new ClientOptions(Kit.ORIGIN, Kit.KEY);
        if (given.all().get("client") != null) configure(options, Members.of(given.all().get("client")));
        client = new Client(options, time, this::exchange);
        var expected = Members.of(given.all().get("expected"));
        var outcomes = expected.objects("outcomes").iterator();
        for (var step : given.objects("steps")) {
            if (step.all().get("wait") != null) time.sleep(Kit.seconds(step.number("wait")));
            else compare(step, outcomes.next());
        }
        assertTrue("every outcome was compared", !outcomes.hasNext());
        compareRequests(expected.objects("requests"));
    }

    private static void configure(ClientOptions options, Members given) {
        if (given.all().get("timeoutSeconds") != null) options.timeout(Kit.seconds(given.number("timeoutSeconds")));
        if (given.all().get("maxAttempts") != null) options.maxAttempts((int) given.integer("maxAttempts"));
    }

    private Answer exchange(Exchanger.Request request, Duration timeout) throws IOException {
        var nonce = note(request);
        var exchanges = given.objects("exchanges");
        var exchange = exchanges.get(Math.min(sent.size(), exchanges.size()) - 1);
        var fault = exchange.textOrNull("fault");
        var taken = exchange.all().get("seconds") == null ? Duration.ZERO : Kit.seconds(exchange.number("seconds"));
        if ("hang".equals(fault) || taken.compareTo(timeout) > 0) {
            time.sleep(timeout);
            throw new HttpTimeoutException("hang");
        }
        time.sleep(taken);
        if (fault != null) throw new IOException(fault);
        return Kit.answer(exchange, nonce);
    }

    private String note(Exchanger.Request request) {
        var params = Kit.params(request);
        calls.putIfAbsent(params.group(2), calls.size() + 1);
        var noted = new LinkedHashMap<String, Object>();
        noted.put("call", (double) calls.get(params.group(2)));
        noted.put("method", request.method());
        noted.put("target", request.uri().toString().substring(Kit.ORIGIN.length()));
        if (request.headers().containsKey("If-Match")) noted.put("ifMatch", request.headers().get("If-Match"));
        if (request.body().length > 0) noted.put("body", Json.parse(request.body()));
        noted.put("created", Double.valueOf(params.group(1)));
        noted.put("expires", Double.valueOf(params.group(3)));
        noted.put("sentAt", time.milliseconds());
        sent.add(noted);
        return params.group(2);
    }

    private void compareRequests(List<Members> wanted) {
        assertEquals("the number of requests", wanted.size(), sent.size());
        for (var i = 0; i < sent.size(); i++) {
            var other = new HashMap<>(wanted.get(i).all());
            assertEquals("the time of request " + i, (Double) other.remove("sentAt"), (Double) sent.get(i).remove("sentAt"), 2);
            assertEquals("request " + i, other, sent.get(i));
        }
    }

    private void compare(Members step, Members expected) {
        try {
            var answer = call(step);
            assertEquals(expected.all().get("answer"), answer);
            assertTrue("an answer, and not " + expected, expected.all().containsKey("answer"));
        } catch (AuthServiceException e) {
            assertTrue("it failed with " + e, expected.all().get("error") != null);
            var wanted = Members.of(expected.all().get("error"));
            assertEquals(wanted.text("class"), className(e));
            assertEquals(wanted.text("code"), e.code());
            assertEquals("attempts", orZero(wanted, "attempts"), e.attempts(), 0);
            assertEquals("status", orZero(wanted, "status"), e.status(), 0);
            assertEquals("retryAfter", orZero(wanted, "retryAfterSeconds"), e.retryAfter().toMillis() / 1e3, 0.001);
        }
    }

    private static double orZero(Members members, String name) {
        return members.all().get(name) == null ? 0 : members.number(name);
    }

    /** The class of the TypeScript SDK. */
    private static String className(AuthServiceException e) {
        if (e instanceof AuthServiceException.SignatureRejected) return "SignatureError";
        return e.getClass().getSimpleName().replace("Exception", "") + "Error";
    }

    /** Returns the answer as JSON. */
    private Object call(Members step) {
        var userId = step.textOrNull("userId");
        var body = step.all().get("body") == null ? new Members(Map.of()) : Members.of(step.all().get("body"));
        var version = step.all().get("ifVersion") == null ? null : step.integer("ifVersion");
        var reason = body.textOrNull("reason");
        var ticket = body.textOrNull("ticket");
        var role = step.textOrNull("role") == null ? body.textOrNull("role") : step.textOrNull("role");
        return switch (step.text("operation")) {
            case "getAccess" -> Json.parse(client.getAccess(userId).raw());
            case "isAllowed" -> client.isAllowed(userId);
            case "checkAccess" -> check(step.list("userIds").stream().map(String.class::cast).toList());
            case "setAccess" -> {
                var until = body.timeOrNull("until");
                yield rawOf(client.setAccess(userId, new AccessSetting(Status.of(body.text("status")), until, reason, ticket, version)));
            }
            case "assignRole" -> {
                Instant end = body.timeOrNull("expiresAt");
                yield rawOf(client.assignRole(userId, new Grant(role, end, reason, ticket, version)));
            }
            case "revokeRole" -> rawOf(client.revokeRole(userId, new Revocation(role, reason, ticket, version)));
            case "changes" -> changes(step.textOrNull("after"));
            default -> throw new AssertionError("there is no operation " + step.text("operation"));
        };
    }

    private static Object rawOf(ChangedAccess changed) {
        return Json.parse(changed.access().raw());
    }

    private Object check(List<String> userIds) {
        var items = new ArrayList<>();
        for (var each : client.checkAccess(userIds)) {
            var unknown = Map.of("userId", each.userId(), "code", "user_not_found");
            items.add(each.access() == null ? unknown : Json.parse(each.access().raw()));
        }
        return items;
    }

    private Object changes(String after) {
        var reader = client.changesAfter(after);
        var pages = new ArrayList<>();
        for (var page = reader.next(); page.isPresent(); page = reader.next()) {
            var items = page.get().items().stream().map(change -> Json.parse(change.raw().getBytes(UTF_8))).toList();
            pages.add(Map.of("items", items, "cursor", page.get().cursor()));
        }
        return pages;
    }
}
