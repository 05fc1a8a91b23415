package authservice;

/**
 * A webhook with a secret that no later answer contains.
 *
 * @param webhook the webhook as it is now
 * @param secret whsec_…; null unless the request has created the webhook or replaced the secret. Store it; it is not printed
 * @param changed whether the request changed anything
 */
public record IssuedWebhook(Webhook webhook, String secret, boolean changed) {
    static IssuedWebhook read(Members given, String webhookId) {
        if (!webhookId.equals(given.text("webhookId"))) throw new Json.Malformed("another webhook");
        var isChanged = given.all().get("changed") == null || given.flag("changed");
        return new IssuedWebhook(Webhook.read(given), given.textOrNull("secret"), isChanged);
    }

    /** Returns the webhook without its secret. */
    @Override
    public String toString() {
        return "IssuedWebhook[" + webhook + ", changed=" + changed + "]";
    }
}
