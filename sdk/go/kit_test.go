package authservice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The cases of sdk/conformance, in virtual time.

const (
	kitFolder = "../conformance"
	kitOrigin = "https://auth.example.com"
)

var (
	kitStart = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	kitKey   = Key{"svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX", "svs_this-is-test-data-and-it-opens-no-door-here"}
)

// readKit reads the cases of one file of the kit.
func readKit(t *testing.T, name string, cases any) {
	t.Helper()
	var manifest struct {
		Version int
		Files   map[string]string
	}
	readJSON(t, filepath.Join(kitFolder, "kit.json"), &manifest)
	if manifest.Version != 1 {
		t.Fatalf("the kit has version %d", manifest.Version)
	}
	path := filepath.Join(kitFolder, manifest.Files[name])
	var content json.RawMessage
	readJSON(t, path, &content)
	if content[0] == '[' {
		fill(t, content, cases)
		return
	}
	fill(t, content, &struct{ Cases any }{cases})
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, content, into)
}

func fill(t *testing.T, content []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(content, into); err != nil {
		t.Fatal(err)
	}
}

// virtualTime moves only when the SDK waits.
type virtualTime struct {
	passed time.Duration
	random float64
	// during runs what is due while the SDK waits.
	during func(until time.Duration)
}

func (v *virtualTime) now() time.Time {
	return kitStart.Add(v.passed)
}

func (v *virtualTime) milliseconds() float64 {
	return float64(v.passed) / float64(time.Millisecond)
}

func (v *virtualTime) wait(duration time.Duration) {
	if duration <= 0 {
		return
	}
	until := v.passed + duration
	if v.during != nil {
		v.during(until)
	}
	if v.passed < until {
		v.passed = until
	}
}

func (v *virtualTime) clocks() clocks {
	return clocks{
		now:       v.now,
		wall:      v.now,
		moved:     func() time.Duration { return 0 },
		monotonic: func() time.Duration { return v.passed },
		random:    func() float64 { return v.random },
		sleep: func(ctx context.Context, duration time.Duration) error {
			v.wait(duration)
			return ctx.Err()
		},
	}
}

// client returns a client in this time, whose requests are answered by a function.
func (v *virtualTime) client(t testing.TB, options Options, exchange exchanger) *Client {
	t.Helper()
	options.BaseURL, options.KeyID, options.Secret = kitOrigin, kitKey.ID, kitKey.Secret
	client, err := NewClient(options)
	if err != nil {
		t.Fatal(err)
	}
	client.caller.clocks = v.clocks()
	client.caller.circuit.monotonic = client.caller.clocks.monotonic
	client.caller.exchange = exchange
	return client
}

type kitAnswer struct {
	Status  int
	Headers map[string]string
	Body    json.RawMessage
	Date    string
	Nonce   json.RawMessage
	Foreign bool
	Fault   string
	Seconds float64
}

// answer returns the response to a request with this nonce.
func (k kitAnswer) answer(t *testing.T, nonce string) *answer {
	t.Helper()
	found := &answer{status: k.Status, headers: http.Header{}, body: k.Body}
	if found.status == 0 {
		found.status = 200
	}
	found.headers.Set("Content-Type", "application/json")
	if found.status >= 400 {
		found.headers.Set("Content-Type", "application/problem+json")
	}
	for name, value := range k.Headers {
		found.headers.Set(name, value)
	}
	if k.Date != "" {
		found.headers.Set("Date", k.Date)
	}
	if len(k.Body) > 0 && k.Body[0] == '"' {
		var text string
		fill(t, k.Body, &text)
		found.body = []byte(text)
	}
	if !k.Foreign {
		found.headers.Set("Request-Nonce", nonce)
	}
	return found
}

var paramsPattern = regexp.MustCompile(`;created=(\d+);nonce="([^"]+)";keyid="[^"]+";expires=(\d+)$`)

func nonceOf(t *testing.T, request signedRequest) string {
	t.Helper()
	found := paramsPattern.FindStringSubmatch(request.headers["Signature-Input"])
	if found == nil {
		t.Fatalf("the parameters of the signature are %q", request.headers["Signature-Input"])
	}
	return found[2]
}

// sameJSON reports whether two texts are the same JSON.
func sameJSON(t *testing.T, one, other []byte) bool {
	t.Helper()
	var a, b any
	fill(t, one, &a)
	fill(t, other, &b)
	return reflect.DeepEqual(a, b)
}

func marshal(t *testing.T, value any) []byte {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

func near(one, other, tolerance float64) bool {
	return math.Abs(one-other) <= tolerance
}

// className is that of the class of the TypeScript SDK.
func className(err error) string {
	for class, name := range map[error]string{
		ErrInvalidRequest:   "InvalidRequestError",
		ErrSignature:        "SignatureError",
		ErrForbidden:        "ForbiddenError",
		ErrNotFound:         "NotFoundError",
		ErrVersionMismatch:  "VersionMismatchError",
		ErrUnavailable:      "UnavailableError",
		ErrUnexpectedAnswer: "UnexpectedAnswerError",
	} {
		if errors.Is(err, class) {
			return name
		}
	}
	return "AuthServiceError"
}

func targetOf(request signedRequest) string {
	return strings.TrimPrefix(request.url, kitOrigin)
}
