package authservice

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// webhookTolerance is how old a delivery may be, or ahead of this machine's clock.
const webhookTolerance = 300 * time.Second

// ErrWebhookNotVerified means that a delivery must not be trusted. Answer it with 400.
var ErrWebhookNotVerified = errors.New("authservice: the delivery is not verified")

// A Delivery is one that the service signed.
type Delivery struct {
	// ID is that of the change, the same in every attempt: drop a delivery whose id you know.
	ID string
	// Type is the action of the change, such as access.changed.
	Type string
	// Timestamp is when the change happened.
	Timestamp time.Time
	// Change is a hint, and never a decision: ask for the access of the user.
	Change Change
}

// VerifyWebhook verifies a delivery in the format Standard Webhooks 1.0.0 and returns its content; [ErrWebhookNotVerified] for
// anything that must not be trusted, and another error if the secret is none.
//
// The secret is that of the webhook, whsec_…. The body has the bytes exactly as received: read it with io.ReadAll before anything
// decodes it. During the rotation of a secret, the old and the new one are both valid.
func VerifyWebhook(secret string, header http.Header, body []byte, now time.Time) (*Delivery, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		// Without the secret: this is a mistake of the receiver, not of the delivery.
		return nil, errors.New("authservice: the secret of the webhook must be whsec_...")
	}
	id, timestamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil {
		return nil, notVerified("webhook-id or webhook-timestamp is missing or malformed")
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	if !hasSignature(header.Get("Webhook-Signature"), mac.Sum(nil)) {
		return nil, notVerified("no signature in webhook-signature is right")
	}
	if age := now.Unix() - seconds; age > int64(webhookTolerance/time.Second) || -age > int64(webhookTolerance/time.Second) {
		return nil, notVerified("webhook-timestamp is too old, or ahead of this machine's clock")
	}
	return readDelivery(id, body)
}

func notVerified(detail string) error {
	return fmt.Errorf("%w: %s", ErrWebhookNotVerified, detail)
}

func hasSignature(given string, expected []byte) bool {
	encoded := []byte(base64.StdEncoding.EncodeToString(expected))
	for _, one := range strings.Split(given, " ") {
		version, signature, _ := strings.Cut(one, ",")
		if version == "v1" && hmac.Equal([]byte(signature), encoded) {
			return true
		}
	}
	return false
}

func readDelivery(id string, body []byte) (*Delivery, error) {
	var content struct {
		Type, Timestamp *string
		Data            json.RawMessage
	}
	if err := decode(body, &content); err != nil || content.Type == nil || content.Timestamp == nil {
		return nil, notVerified("the body is not a delivery of the service")
	}
	timestamp, err := parseTime(content.Timestamp)
	if err != nil {
		return nil, notVerified("the body is not a delivery of the service")
	}
	change, err := readChange(content.Data)
	if err != nil {
		return nil, notVerified("the body is not a delivery of the service")
	}
	return &Delivery{id, *content.Type, timestamp, change}, nil
}
