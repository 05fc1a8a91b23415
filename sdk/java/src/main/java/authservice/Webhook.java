package authservice;

import java.util.List;

/**
 * A webhook of the application, without its secret.
 *
 * @param format standard or set
 * @param events the kinds of changes that are delivered; null for all
 * @param state on, retrying, off, or failed if it turned itself off
 * @param lastError null if no attempt failed since the last success
 */
public record Webhook(
        String webhookId, String url, String format, boolean enabled, List<String> events, String state, String lastError, long version) {
    static Webhook read(Members given) {
        return new Webhook(
                given.text("webhookId"),
                given.text("url"),
                given.text("format"),
                given.flag("enabled"),
                given.all().get("events") == null ? null : given.list("events").stream().map(String::valueOf).toList(),
                given.text("state"),
                given.textOrNull("lastError"),
                given.integer("version"));
    }
}
