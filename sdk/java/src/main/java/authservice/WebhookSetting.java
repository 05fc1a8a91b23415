package authservice;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * All of a webhook.
 *
 * @param url where the changes are sent: https
 * @param events the kinds of changes to deliver; null for all
 * @param format standard or set; null for standard
 * @param paused lets events wait for as long as the feed is kept
 * @param ifVersion the version that the webhook must have, or nothing changes; null for any
 */
public record WebhookSetting(String url, List<String> events, String format, boolean paused, Long ifVersion) {
    /** Requires an address, and copies the events. */
    public WebhookSetting {
        Objects.requireNonNull(url, "url");
        events = events == null ? null : List.copyOf(events);
    }

    /** Delivers all changes to this address. */
    public static WebhookSetting to(String url) {
        return new WebhookSetting(url, null, null, false, null);
    }

    /** Delivers only these kinds of changes. */
    public WebhookSetting events(List<String> kinds) {
        return new WebhookSetting(url, kinds, format, paused, ifVersion);
    }

    /** Delivers in this format. */
    public WebhookSetting format(String name) {
        return new WebhookSetting(url, events, name, paused, ifVersion);
    }

    /** Lets events wait. */
    public WebhookSetting pause() {
        return new WebhookSetting(url, events, format, true, ifVersion);
    }

    /** Makes the write fail with {@link AuthServiceException.VersionMismatch} unless the webhook has this version. */
    public WebhookSetting ifVersion(long version) {
        return new WebhookSetting(url, events, format, paused, version);
    }

    Map<String, Object> members() {
        var body = new HashMap<String, Object>();
        body.put("url", url);
        if (paused) body.put("enabled", false);
        if (events != null) body.put("events", events);
        if (format != null) body.put("format", format);
        return body;
    }
}
