package authservice.servlet;

import authservice.Decision;
import authservice.Guard;
import authservice.GuardDecision;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A servlet filter that lets only users with access reach what is behind it. Others get a problem document (RFC 9457).
 *
 * <p>Map it to {@code /*} or to the name of a servlet, after the filter of your login.
 */
public final class AccessFilter implements Filter {
    private static final String DECISION = "authservice.decision";

    private final Guard guard;
    private final UserIds userIds;
    private Listener listener = (request, decision) -> {};
    private Denied denied = (request, response, decision) -> {};

    /** Guards requests, whose users this function finds. */
    public AccessFilter(Guard guard, UserIds userIds) {
        this.guard = Objects.requireNonNull(guard, "guard");
        this.userIds = Objects.requireNonNull(userIds, "userIds");
    }

    /** Finds the id of the logged-in user. */
    @FunctionalInterface
    public interface UserIds {
        /**
         * Returns the id, null or an empty one if there is none.
         *
         * @throws Exception if nobody is logged in
         */
        String of(HttpServletRequest request) throws Exception;
    }

    /** Is told of each decision, for logs and metrics. */
    @FunctionalInterface
    public interface Listener {
        /** Tells a decision. */
        void decided(HttpServletRequest request, GuardDecision decision);
    }

    /** Answers a denied request, for example by a redirect to the login. */
    @FunctionalInterface
    public interface Denied {
        /** Answers, or leaves it to the filter. */
        void answer(HttpServletRequest request, HttpServletResponse response, GuardDecision decision) throws IOException, ServletException;
    }

    /** Sets who is told of each decision. */
    public AccessFilter onDecision(Listener told) {
        listener = Objects.requireNonNull(told, "onDecision");
        return this;
    }

    /**
     * Sets who answers denied requests. The request is denied in any case: if nothing is answered, the problem document is sent, and
     * instead of a 2xx the status of the decision.
     */
    public AccessFilter denied(Denied answering) {
        denied = Objects.requireNonNull(answering, "denied");
        return this;
    }

    /**
     * Returns the decision by which a filter has admitted this request.
     *
     * @throws IllegalStateException if none has, so that a forgotten filter shows at the first request
     */
    public static Decision decisionOf(ServletRequest request) {
        if (request.getAttribute(DECISION) instanceof Decision decision) return decision;
        throw new IllegalStateException("no AccessFilter has admitted this request");
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest asked) || !(response instanceof HttpServletResponse answer)) {
            throw new ServletException("AccessFilter guards only HTTP");
        }
        if (admits(asked, answer)) chain.doFilter(request, response);
    }

    /** Returns whether the request may go on. If not, it has been answered. */
    public boolean admits(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        var decision = guard.decide(() -> userIds.of(request));
        request.removeAttribute(DECISION);
        listener.decided(request, decision);
        if (decision.isAdmitted()) {
            request.setAttribute(DECISION, decision.decision());
            return true;
        }
        var answer = new DeniedResponse(response, decision.status());
        denied.answer(request, answer, decision);
        if (!answer.isAnswered()) refuse(response, guard.denial(decision));
        return false;
    }

    private static void refuse(HttpServletResponse response, Guard.Denial denial) throws IOException {
        response.setStatus(denial.status());
        denial.headers().forEach(response::setHeader);
        // Otherwise the writer would add another character set to the type.
        response.getOutputStream().write(denial.body().getBytes(StandardCharsets.UTF_8));
    }
}
