package authservice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.Test;

/** The deliveries of the conformance kit. */
public class WebhooksTest {
    private static Delivery verify(Members given) throws WebhookVerifier.NotVerified {
        var headers = Members.of(given.all().get("headers"));
        return new WebhookVerifier(given.text("secret"))
                .verify(headers::textOrNull, given.text("body").getBytes(UTF_8), Instant.ofEpochSecond(given.integer("time")));
    }

    @Test
    public void areAcceptedOrRefusedAsTheKitSays() throws Exception {
        for (var each : Kit.cases("webhooks")) {
            var given = (Members) each[1];
            if (given.text("expected").equals("refused")) {
                assertThrows(given.text("name"), WebhookVerifier.NotVerified.class, () -> verify(given));
                continue;
            }
            var delivery = verify(given);
            assertEquals(Members.of(given.all().get("headers")).text("webhook-id"), delivery.id());
            assertEquals(List.of("access.changed", "ada"), List.of(delivery.type(), delivery.change().userId()));
            assertEquals("left – “for good”", delivery.change().reason());
            assertEquals(Instant.parse("2026-11-20T12:14:11.123Z"), delivery.timestamp());
        }
    }

    @Test
    public void aSecretThatIsNoneIsAMistakeOfTheReceiver() {
        for (var secret : Arrays.asList(null, "", "whsec_", "whsec_!!", "svs_secret-in-the-wrong-place")) {
            var refused = assertThrows(IllegalArgumentException.class, () -> new WebhookVerifier(secret));
            assertFalse(refused.getMessage().contains("wrong-place"));
        }
    }

    @Test
    public void aSignedBodyThatIsNoDeliveryIsRefused() throws Exception {
        var at = 1_795_176_851L;
        var right = "{\"type\":\"a\",\"timestamp\":\"2026-11-20T12:14:11.123Z\",\"data\":{\"id\":\"1\"}}";
        var wrong = List.of(
                right.replace("\"type\":\"a\",", ""),
                right.replace("2026-11-20T12:14:11.123Z", "today"),
                right.replace("\"id\":\"1\"", ""),
                right.replace("{\"id\":\"1\"}", "[]"),
                "null",
                "");
        assertEquals("1", sealed(right, at).change().id());
        for (var body : wrong) assertThrows(body, WebhookVerifier.NotVerified.class, () -> sealed(body, at));
    }

    private static Delivery sealed(String body, long at) throws WebhookVerifier.NotVerified {
        var key = "key".getBytes(UTF_8);
        var mac = RequestSigner.hmac(key, ("id." + at + "." + body).getBytes(UTF_8));
        var headers = Map.of(
                "webhook-id", "id", "webhook-timestamp", Long.toString(at), "webhook-signature", "v1," + RequestSigner.base64(mac));
        UnaryOperator<String> header = headers::get;
        return new WebhookVerifier("whsec_" + RequestSigner.base64(key)).verify(header, body.getBytes(UTF_8), Instant.ofEpochSecond(at));
    }
}
