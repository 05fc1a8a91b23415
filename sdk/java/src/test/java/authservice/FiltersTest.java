package authservice;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import authservice.servlet.AccessFilter;
import authservice.spring.AccessOncePerRequestFilter;
import jakarta.servlet.Filter;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Both filters in Tomcat. */
@RunWith(Parameterized.class)
public class FiltersTest {
    @Parameters(name = "{0}")
    public static List<Object[]> filters() {
        Function<AccessFilter, Filter> servlet = filter -> filter;
        Function<AccessFilter, Filter> spring = AccessOncePerRequestFilter::new;
        return List.of(new Object[] {"jakarta.servlet.Filter", servlet}, new Object[] {"OncePerRequestFilter", spring});
    }

    @Parameter public String name;

    @Parameter(1)
    public Function<AccessFilter, Filter> shape;

    private static AccessFilter filter(Guard guard) {
        return new AccessFilter(guard, request -> request.getHeader("X-User"));
    }

    /** Ada may enter as an editor, Ben is blocked, about Eve there is no decision, and others are unknown. */
    private static final Decider SOURCE = userId -> switch (userId) {
        case "auth0|ada" -> Decision.enabled(userId, "editor");
        case "ben" -> Decision.disabled(userId);
        case "eve" -> throw new IllegalStateException("no answer");
        default -> Decision.none(userId, "user_not_found");
    };

    private static void expect(int status, String code, HttpResponse<String> answer) {
        assertEquals(answer.body(), status, answer.statusCode());
        assertTrue(answer.body(), answer.body().contains("\"code\":\"" + code + "\""));
        assertEquals("application/problem+json", answer.headers().firstValue("Content-Type").orElse(""));
        assertEquals("no-store", answer.headers().firstValue("Cache-Control").orElse(""));
    }

    @Test
    public void onlyUsersWithAccessReachTheApplication() throws Exception {
        var told = new ArrayList<Integer>();
        var filter = filter(new Guard(SOURCE)).onDecision((request, decision) -> told.add(decision.status()));
        try (var application = new GuardedApplication(shape.apply(filter))) {
            var admitted = application.ask("auth0|ada");
            assertEquals(List.of(200, "welcome auth0|ada"), List.of(admitted.statusCode(), admitted.body()));
            expect(403, "access_denied", application.ask("ben"));
            expect(403, "access_denied", application.ask("nobody"));
            var unknown = application.ask(null);
            expect(401, "not_authenticated", unknown);
            assertEquals("Bearer", unknown.headers().firstValue("WWW-Authenticate").orElse(""));
            var outage = application.ask("eve");
            expect(503, "access_unavailable", outage);
            assertEquals("5", outage.headers().firstValue("Retry-After").orElse(""));
            assertEquals(List.of(200, 403, 403, 401, 503), told);
        }
    }

    @Test
    public void aForwardedRequestIsDecidedOnceWithSpring() throws Exception {
        var told = new ArrayList<Integer>();
        var filter = filter(new Guard(SOURCE)).onDecision((request, decision) -> told.add(decision.status()));
        try (var application = new GuardedApplication(shape.apply(filter))) {
            assertEquals("welcome auth0|ada", application.ask("/forward", "auth0|ada").body());
            assertEquals(name.startsWith("Once") ? List.of(200) : List.of(200, 200), told);
            expect(403, "access_denied", application.ask("/forward", "ben"));
        }
    }

    @Test
    public void theRequirementsOfEveryFilterCount() throws Exception {
        var entry = shape.apply(filter(new Guard(SOURCE)));
        var editors = shape.apply(filter(new Guard(SOURCE).requiring("editor")));
        var owners = shape.apply(filter(new Guard(SOURCE).requiring("owner")));
        try (var application = new GuardedApplication(entry, editors)) {
            assertEquals(200, application.ask("auth0|ada").statusCode());
        }
        try (var application = new GuardedApplication(entry, editors, owners)) {
            expect(403, "role_missing", application.ask("auth0|ada"));
        }
    }

    @Test
    public void theRequirementsOfFiltersWithoutNamesCountToo() throws Exception {
        // As in the chain of Spring Security, which the server knows as one filter.
        var entry = shape.apply(filter(new Guard(SOURCE)));
        var owners = shape.apply(filter(new Guard(SOURCE).requiring("owner")));
        Filter chained = (request, response, chain) ->
                entry.doFilter(request, response, (asked, answer) -> owners.doFilter(asked, answer, chain));
        try (var application = new GuardedApplication(chained)) {
            expect(403, "role_missing", application.ask("auth0|ada"));
        }
    }

    @Test
    public void aLoginThatFailsIsNone() throws Exception {
        var filter = new AccessFilter(new Guard(SOURCE), request -> {
            throw new IllegalStateException("no session store");
        });
        try (var application = new GuardedApplication(shape.apply(filter))) {
            expect(401, "not_authenticated", application.ask("auth0|ada"));
        }
    }

    @Test
    public void aDeniedRequestCanBeAnsweredByTheApplicationButNotAdmitted() throws Exception {
        var redirected = askDenied((request, response, decision) -> response.sendRedirect("/login"));
        assertEquals(302, redirected.statusCode());
        assertTrue(redirected.headers().firstValue("Location").orElse("").endsWith("/login"));
        expect(403, "access_denied", askDenied((request, response, decision) -> {}));
        List<AccessFilter.Denied> successes = List.of(
                (request, response, decision) -> response.setStatus(200),
                (request, response, decision) -> response.getWriter().print("sorry"),
                (request, response, decision) -> response.getOutputStream().print("sorry"),
                (request, response, decision) -> response.sendError(204),
                (request, response, decision) -> {
                    response.setStatus(202);
                    response.flushBuffer();
                });
        for (var success : successes) {
            var answer = askDenied(success);
            assertEquals(403, answer.statusCode());
            assertFalse(answer.body(), answer.body().contains("code"));
        }
        expect(403, "access_denied", askDenied((request, response, decision) -> {
            response.setStatus(200);
            response.reset();
        }));
        assertEquals(418, askDenied((request, response, decision) -> response.setStatus(418)).statusCode());
    }

    private HttpResponse<String> askDenied(AccessFilter.Denied denied) throws Exception {
        try (var application = new GuardedApplication(shape.apply(filter(new Guard(SOURCE)).denied(denied)))) {
            return application.ask("ben");
        }
    }

    @Test
    public void aForgottenFilterShows() throws Exception {
        try (var application = new GuardedApplication()) {
            assertEquals(500, application.ask("auth0|ada").statusCode());
        }
    }

    @Test
    public void theClientIsASource() throws Exception {
        try (var server = new StubServer(StubServer.respond(StubServer.ACCESS), StubServer.respond(503, "", 0, "Retry-After: 60"));
                var application = new GuardedApplication(shape.apply(filter(new Guard(new Client(server.options())))))) {
            assertEquals("welcome ada", application.ask("ada").body());
            var outage = application.ask("ada");
            expect(503, "access_unavailable", outage);
            assertEquals("60", outage.headers().firstValue("Retry-After").orElse(""));
        }
    }

    @Test
    public void aFilterNeedsAGuardAndAUser() {
        assertThrows(NullPointerException.class, () -> new AccessFilter(null, request -> "ada"));
        assertThrows(NullPointerException.class, () -> new AccessFilter(new Guard(SOURCE), null));
    }
}
