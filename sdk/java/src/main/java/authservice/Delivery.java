package authservice;

import java.time.Instant;

/**
 * A delivery that the service signed.
 *
 * @param id that of the change, the same in every attempt: drop a delivery whose id you know
 * @param type the action of the change, such as access.changed
 * @param timestamp when the change happened
 * @param change a hint, and never a decision: ask for the access of the user
 */
public record Delivery(String id, String type, Instant timestamp, Change change) {}
