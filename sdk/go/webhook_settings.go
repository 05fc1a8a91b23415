package authservice

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// A Webhook is a webhook of the application, without its secret.
type Webhook struct {
	// WebhookID is what the application chose.
	WebhookID string
	// URL is where the changes are sent.
	URL string
	// Format is standard or set.
	Format string
	// Enabled says whether changes are sent.
	Enabled bool
	// Events are the kinds of changes that are delivered; nil for all.
	Events []string
	// State is on, retrying, off, or failed if it turned itself off.
	State string
	// LastError is empty if no attempt failed since the last success.
	LastError string
	// Version counts the changes; the value for [IfVersion].
	Version int
}

// A WebhookSecret is whsec_…. It is not printed; convert it to a string to store it.
type WebhookSecret string

// String returns that there is a secret, without it.
func (s WebhookSecret) String() string {
	if s == "" {
		return ""
	}
	return "(secret)"
}

// GoString returns the same as String.
func (s WebhookSecret) GoString() string {
	return s.String()
}

// An IssuedWebhook is a webhook with a secret that no later answer contains.
type IssuedWebhook struct {
	Webhook
	// Secret is empty unless the request has created the webhook or replaced the secret. Store it.
	Secret WebhookSecret
	// Changed says whether the request changed anything.
	Changed bool
}

// A WebhookSetting is all of a webhook.
type WebhookSetting struct {
	// URL is where the changes are sent: https.
	URL string
	// Events are the kinds of changes to deliver; nil for all.
	Events []string
	// Format is standard by default.
	Format string
	// Paused lets events wait for as long as the feed is kept.
	Paused bool
}

type webhookJSON struct {
	WebhookID string
	URL       string
	Format    string
	Enabled   bool
	Events    []string
	State     string
	LastError *string
	Version   int
	Secret    *string
	Changed   *bool
}

func (w webhookJSON) webhook() Webhook {
	return Webhook{w.WebhookID, w.URL, w.Format, w.Enabled, w.Events, w.State, orEmpty(w.LastError), w.Version}
}

// ListWebhooks returns all webhooks of the application, at most five, by id. The key needs the scope webhooks:write, and the
// deployment has webhooks.
func (c *Client) ListWebhooks(ctx context.Context) ([]Webhook, error) {
	given := call{method: http.MethodGet, path: "webhooks", target: "webhooks", reads: true}
	return send(ctx, c.caller, given, func(found *answer, _ string) ([]Webhook, error) {
		var body struct{ Items []webhookJSON }
		if err := decode(found.body, &body); err != nil {
			return nil, err
		}
		if body.Items == nil {
			return nil, errNotExpected
		}
		webhooks := make([]Webhook, len(body.Items))
		for i, item := range body.Items {
			if item.WebhookID == "" {
				return nil, errNotExpected
			}
			webhooks[i] = item.webhook()
		}
		return webhooks, nil
	})
}

// SetWebhook creates a webhook or sets all of it, so an application can call this whenever it starts.
func (c *Client) SetWebhook(ctx context.Context, webhookID string, setting WebhookSetting, options ...WriteOption) (*IssuedWebhook, error) {
	body := map[string]any{"url": setting.URL}
	if setting.Paused {
		body["enabled"] = false
	}
	if setting.Events != nil {
		body["events"] = setting.Events
	}
	if setting.Format != "" {
		body["format"] = setting.Format
	}
	return c.issueWebhook(ctx, call{method: http.MethodPut, path: "webhooks/{webhookId}"}, webhookID, body, options)
}

// RotateWebhookSecret replaces the secret. Until the end of the overlap each delivery has two signatures.
func (c *Client) RotateWebhookSecret(ctx context.Context, webhookID string, overlap time.Duration) (*IssuedWebhook, error) {
	body := map[string]any{"overlap": fmt.Sprintf("PT%dS", int64(overlap/time.Second))}
	return c.issueWebhook(ctx, call{method: http.MethodPost, path: "webhooks/{webhookId}/rotate"}, webhookID, body, nil)
}

func (c *Client) issueWebhook(ctx context.Context, given call, webhookID string, body map[string]any, options []WriteOption) (*IssuedWebhook, error) {
	if err := requireWebhookID(webhookID); err != nil {
		return nil, err
	}
	encoded, err := encodeBody(body)
	if err != nil {
		return nil, err
	}
	given.body = encoded
	given.target = "webhooks/" + webhookID + given.path[len("webhooks/{webhookId}"):]
	for _, option := range options {
		option(&given)
	}
	return send(ctx, c.caller, given, func(found *answer, _ string) (*IssuedWebhook, error) {
		var issued webhookJSON
		if err := decode(found.body, &issued); err != nil {
			return nil, err
		}
		if issued.WebhookID != webhookID {
			return nil, errNotExpected
		}
		isChanged := issued.Changed == nil || *issued.Changed
		return &IssuedWebhook{issued.webhook(), WebhookSecret(orEmpty(issued.Secret)), isChanged}, nil
	})
}

// DeleteWebhook deletes a webhook; [ErrNotFound] if there is none with this id.
func (c *Client) DeleteWebhook(ctx context.Context, webhookID string) error {
	if err := requireWebhookID(webhookID); err != nil {
		return err
	}
	given := call{method: http.MethodDelete, path: "webhooks/{webhookId}", target: "webhooks/" + webhookID}
	_, err := send(ctx, c.caller, given, func(found *answer, _ string) (json.RawMessage, error) {
		var body struct{ Complete bool }
		if err := decode(found.body, &body); err != nil {
			return nil, err
		}
		if !body.Complete {
			return nil, errNotExpected
		}
		return found.body, nil
	})
	return err
}
