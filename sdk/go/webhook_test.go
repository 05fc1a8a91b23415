package authservice

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

type webhookCase struct {
	Name, Secret, Body, Expected string
	Headers                      map[string]string
	Time                         int64
}

func (c webhookCase) verify() (*Delivery, error) {
	header := http.Header{}
	for name, value := range c.Headers {
		header.Set(name, value)
	}
	return VerifyWebhook(c.Secret, header, []byte(c.Body), time.Unix(c.Time, 0))
}

func TestWebhooks(t *testing.T) {
	var cases []webhookCase
	readKit(t, "webhooks", &cases)
	for _, each := range cases {
		each := each
		t.Run(each.Name, func(t *testing.T) {
			delivery, err := each.verify()
			if each.Expected == "refused" {
				if !errors.Is(err, ErrWebhookNotVerified) || delivery != nil {
					t.Fatalf("it is not refused: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			change := delivery.Change
			if delivery.ID != each.Headers["webhook-id"] || delivery.Type != "access.changed" || change.UserID != "ada" || change.Reason != "left – “for good”" {
				t.Errorf("the delivery is %+v", delivery)
			}
			if !delivery.Timestamp.Equal(time.Date(2026, 11, 20, 12, 14, 11, 123_000_000, time.UTC)) {
				t.Errorf("its time is %s", delivery.Timestamp)
			}
		})
	}
	for _, secret := range []string{"", "whsec_", "whsec_!!", "svs_secret-in-the-wrong-place"} {
		wrong := cases[0]
		wrong.Secret = secret
		_, err := wrong.verify()
		if err == nil || errors.Is(err, ErrWebhookNotVerified) || strings.Contains(err.Error(), "wrong-place") {
			t.Errorf("what is no secret is not a mistake of the receiver: %v", err)
		}
	}
}

func TestASignedBodyThatIsNoDeliveryIsRefused(t *testing.T) {
	const at = 1_795_176_851
	secret := "whsec_" + base64.StdEncoding.EncodeToString([]byte("key"))
	for body, isDelivery := range map[string]bool{
		`{"type":"a","timestamp":"2026-11-20T12:14:11.123Z","data":{"id":"1"}}`: true,
		`{"timestamp":"2026-11-20T12:14:11.123Z","data":{"id":"1"}}`:            false,
		`{"type":"a","data":{"id":"1"}}`:                                        false,
		`{"type":"a","timestamp":"today","data":{"id":"1"}}`:                    false,
		`{"type":"a","timestamp":"2026-11-20T12:14:11.123Z","data":{}}`:         false,
		`{"type":"a","timestamp":"2026-11-20T12:14:11.123Z"}`:                   false,
		`null`: false,
		``:     false,
	} {
		mac := hmac.New(sha256.New, []byte("key"))
		fmt.Fprintf(mac, "id.%d.%s", at, body)
		header := http.Header{}
		header.Set("Webhook-Id", "id")
		header.Set("Webhook-Timestamp", strconv.Itoa(at))
		header.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		delivery, err := VerifyWebhook(secret, header, []byte(body), time.Unix(at, 0))
		if (err == nil) != isDelivery || (delivery != nil) != isDelivery || !isDelivery && !errors.Is(err, ErrWebhookNotVerified) {
			t.Errorf("%s returned %+v and %v", body, delivery, err)
		}
	}
}
