package authservice;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import authservice.Guard.WhenUnavailable;
import java.time.Duration;
import java.util.List;
import org.junit.Test;

/** What a guard does while the service does not answer. */
public class OutageTest {
    private static GuardDecision ada(Decider source, WhenUnavailable choice) {
        return new Guard(source).whenUnavailable(choice).decide(() -> "ada");
    }

    private static Decider failing(Failure failure) {
        return userId -> {
            throw failure.exception(1);
        };
    }

    private static Failure answered(int status, String code) {
        return Failure.of(Failure.Kind.of(status), code, "");
    }

    private static void expectOutage(GuardDecision decision) {
        assertTrue(decision.isAdmitted());
        assertEquals(new Decision("ada", Status.ENABLED, "outage", List.of(), null, null), decision.decision());
        assertEquals("ada", decision.userId());
    }

    @Test
    public void anOutageAdmitsEveryUserWithoutRolesIfTheOptionsSaySo() {
        var failures = List.of(
                Failure.noAnswer(new java.io.IOException("reset"), false),
                Failure.circuitOpen("3 calls timed out", Duration.ofSeconds(5)),
                answered(503, "unavailable"));
        for (var failure : failures) {
            var error = failure.exception(1);
            Decider source = userId -> {
                throw error;
            };
            assertEquals(503, new Guard(source).decide(() -> "ada").status());
            assertEquals(503, ada(source, WhenUnavailable.DENY).status());
            var decision = ada(source, WhenUnavailable.ALLOW);
            expectOutage(decision);
            assertSame(error, decision.error());
        }
        Decider tooOld = userId -> Decision.none(userId, "stale");
        expectOutage(ada(tooOld, WhenUnavailable.ALLOW));
    }

    @Test
    public void aRequiredRoleKeepsItClosedAndNobodyPassesWithoutALogin() {
        var open = new Guard(failing(answered(503, "unavailable"))).whenUnavailable(WhenUnavailable.ALLOW);
        assertEquals(503, open.requiring("editor").decide(() -> "ada").status());
        assertEquals(503, new Guard(failing(answered(503, "unavailable"))).requiring("editor")
                .whenUnavailable(WhenUnavailable.ALLOW).decide(() -> "ada").status());
        assertEquals(401, open.decide(() -> null).status());
        // The other options keep the choice.
        expectOutage(open.challenge("Basic").showingReason().decide(() -> "ada"));
    }

    @Test
    public void aRefusalIsNotAnOutage() {
        // A leaked key or a flood must not open the application.
        var failures = List.of(
                answered(401, "key_revoked"),
                answered(401, "key_expired"),
                answered(401, "signature_mismatch"),
                answered(403, "scope_missing"),
                answered(429, "too_many_requests"),
                answered(500, "internal"),
                Failure.aborted(new InterruptedException()));
        for (var failure : failures) {
            assertEquals(failure.code(), 503, ada(failing(failure), WhenUnavailable.ALLOW).status());
        }
        List<Decider> sources = List.of(
                userId -> null,
                userId -> Decision.enabled("eve"),
                userId -> Decision.none(userId, "key_refused"),
                userId -> {
                    throw new IllegalStateException("unavailable");
                });
        for (var source : sources) assertEquals(503, ada(source, WhenUnavailable.ALLOW).status());
    }

    @Test
    public void theServiceStillDecidesWhileItAnswers() {
        assertEquals("default", ada(Decision::enabled, WhenUnavailable.ALLOW).decision().decidedBy());
        assertEquals(403, ada(Decision::disabled, WhenUnavailable.ALLOW).status());
        assertEquals(403, ada(userId -> Decision.none(userId, "user_not_found"), WhenUnavailable.ALLOW).status());
    }
}
