package authservice

import (
	"errors"
	"net/http"
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
