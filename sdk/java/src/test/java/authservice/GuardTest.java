package authservice;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.Test;

/** A guard without a framework. */
public class GuardTest {
    private static final Decider ENABLED = Decision::enabled;

    private static void expect(int status, String code, GuardDecision decision) {
        assertEquals(Arrays.asList(status, code), Arrays.asList(decision.status(), decision.code()));
        assertEquals(status == 200, decision.isAdmitted());
    }

    private static GuardDecision ada(Decider source) {
        return new Guard(source).decide(() -> "ada");
    }

    @Test
    public void admitsNobodyWithoutAUser() {
        Decider asked = userId -> {
            throw new AssertionError("the source was asked");
        };
        Callable<String> failing = () -> {
            throw new IOException("no session store");
        };
        List<Callable<String>> users = List.of(() -> null, () -> "", () -> "a/b", () -> "..", () -> "a".repeat(129), () -> "a\n", failing);
        for (var user : users) expect(401, "not_authenticated", new Guard(asked).decide(user));
        assertEquals("no session store", new Guard(asked).decide(failing).error().getMessage());
        var guard = new Guard(asked).challenge("Bearer realm=\"billing\"");
        var denial = guard.denial(guard.decide(() -> null));
        assertEquals(401, denial.status());
        assertEquals("Bearer realm=\"billing\"", denial.headers().get("WWW-Authenticate"));
        assertEquals("application/problem+json", denial.headers().get("Content-Type"));
        assertEquals("no-store", denial.headers().get("Cache-Control"));
        assertTrue(denial.body(), denial.body().contains("\"code\":\"not_authenticated\""));
    }

    @Test
    public void deniesWhoHasNoAccess() {
        expect(200, null, ada(ENABLED));
        expect(403, "access_denied", ada(Decision::disabled));
        expect(403, "access_denied", ada(userId -> Decision.none(userId, "user_not_found")));
    }

    @Test
    public void needsOneOfTheRoles() {
        Decider editor = userId -> Decision.enabled(userId, "editor");
        expect(200, null, new Guard(editor).requiring("owner", "editor").decide(() -> "ada"));
        expect(403, "role_missing", new Guard(editor).requiring("owner").decide(() -> "ada"));
        Decider blocked = userId -> new Decision(userId, Status.DISABLED, "explicit", List.of(new Role("editor", null)), null, null);
        expect(403, "access_denied", new Guard(blocked).requiring("editor").decide(() -> "ada"));
        var names = new String[] {"owner"};
        var guard = new Guard(editor).requiring(names);
        names[0] = "editor";
        expect(403, "role_missing", guard.decide(() -> "ada"));
    }

    @Test
    public void admitsNobodyWithoutADecision() {
        var failure = new IllegalStateException("no answer");
        List<Decider> sources = List.of(
                userId -> null,
                userId -> Decision.enabled("eve"),
                userId -> Decision.enabled(null),
                userId -> new Decision(userId, null, "default", List.of(), null, null),
                userId -> new Decision(userId, Status.ENABLED, "default", List.of(), "stale", null),
                userId -> Decision.none(userId, "key_refused"),
                userId -> {
                    throw failure;
                });
        for (var source : sources) expect(503, "access_unavailable", ada(source));
        assertSame(failure, ada(sources.get(6)).error());
        assertFalse(new Decision("ada", Status.ENABLED, "default", List.of(), "stale", null).isEnabled());
    }

    @Test
    public void saysHowLongToWait() {
        var guard = new Guard(ENABLED);
        for (var wait : List.of(60, 0)) {
            Decider source = userId -> {
                throw Failure.circuitOpen("3 calls timed out", Duration.ofSeconds(wait)).exception(0);
            };
            var denial = guard.denial(ada(source));
            assertEquals(wait == 0 ? "5" : "60", denial.headers().get("Retry-After"));
            assertEquals(503, denial.status());
        }
    }

    @Test
    public void showsOnlyTheReasonOfABlockAndOnlyIfAsked() {
        Decider blocked = userId -> new Decision(userId, Status.DISABLED, "explicit", List.of(), null, "unpaid");
        Decider inactive = userId -> new Decision(userId, Status.DISABLED, "user", List.of(), null, "unpaid");
        assertFalse(bodyOf(new Guard(blocked)).contains("unpaid"));
        assertFalse(bodyOf(new Guard(inactive).showingReason()).contains("unpaid"));
        assertTrue(bodyOf(new Guard(blocked).showingReason()).contains("\"reason\":\"unpaid\""));
    }

    private static String bodyOf(Guard guard) {
        return guard.denial(guard.decide(() -> "ada")).body();
    }

    @Test
    public void checksItsOptions() {
        var guard = new Guard(ENABLED);
        assertThrows(NullPointerException.class, () -> new Guard(null));
        assertThrows(NullPointerException.class, () -> guard.whenUnavailable(null));
        assertThrows(IllegalArgumentException.class, () -> guard.requiring());
        assertThrows(IllegalArgumentException.class, () -> guard.requiring("a", ""));
        assertThrows(IllegalArgumentException.class, () -> guard.challenge("a\r\nb"));
        assertThrows(IllegalArgumentException.class, () -> guard.denial(ada(ENABLED)));
    }
}
