package authservice.spring;

import authservice.servlet.AccessFilter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * An {@link AccessFilter} for Spring, which decides once per request, also if it is forwarded. Add it to the chain of Spring Security
 * after the authentication, or register it as a bean.
 */
public final class AccessOncePerRequestFilter extends OncePerRequestFilter {
    private static final AtomicLong COUNT = new AtomicLong();

    private final AccessFilter filter;
    private final long number = COUNT.incrementAndGet();

    /** Decides as this filter does. */
    public AccessOncePerRequestFilter(AccessFilter filter) {
        this.filter = Objects.requireNonNull(filter, "filter");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (filter.admits(request, response)) chain.doFilter(request, response);
    }

    /** Is another one for each filter: Spring skips the second of two filters with the same name, such as one that requires a role. */
    @Override
    protected String getAlreadyFilteredAttributeName() {
        return AccessOncePerRequestFilter.class.getName() + "." + number + ALREADY_FILTERED_SUFFIX;
    }
}
