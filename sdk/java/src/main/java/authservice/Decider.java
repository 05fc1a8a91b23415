package authservice;

/** Decides about users: a {@link Client}, which asks the service for each request, or in tests a function. */
@FunctionalInterface
public interface Decider {
    /** Decides whether the user may enter. An exception is no decision, which admits nobody. */
    Decision decide(String userId);
}
