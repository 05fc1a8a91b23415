package authservice

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

var stubChanged = strings.TrimSuffix(stubAccess, "}") + `,"changed":true,"changeId":null}`

func isAllowed(t *testing.T, client *Client) error {
	t.Helper()
	allowed, err := client.IsAllowed(context.Background(), "ada")
	if allowed != (err == nil) {
		t.Errorf("IsAllowed returned %v and %v", allowed, err)
	}
	return err
}

func TestAnAnswer(t *testing.T) {
	server := startStub(t, answerWith(stubAccess))
	if err := isAllowed(t, server.client(t, Options{})); err != nil {
		t.Fatal(err)
	}
	request := server.requests()[0]
	if request.Method != "GET" || request.RequestURI != "/api/service/users/ada/access" || request.Header.Get("User-Agent") != userAgent {
		t.Errorf("sent was %s %s", request.Method, request.RequestURI)
	}
	for _, name := range []string{"Cookie", "Authorization", "Referer"} {
		if request.Header.Get(name) != "" {
			t.Errorf("%s was sent", name)
		}
	}
}

func TestAFailureIsRetriedInTime(t *testing.T) {
	cut := respond(http.StatusOK, stubAccess, 999)
	for name, failing := range map[string]reaction{"drop": drop, "hang": hang, "drip": drip, "dripped body": dripBody, "cut": cut, "503": respond(503, "", 0)} {
		failing := failing
		t.Run(name, func(t *testing.T) {
			server := startStub(t, failing, failing, answerWith(stubAccess))
			if err := isAllowed(t, server.client(t, Options{Timeout: 4 * time.Second})); err != nil {
				t.Fatal(err)
			}
			nonces, signatures := map[string]bool{}, map[string]bool{}
			for _, request := range server.requests() {
				nonces[noncePattern.FindStringSubmatch(request.Header.Get("Signature-Input"))[1]] = true
				signatures[request.Header.Get("Signature")] = true
			}
			if len(nonces) != 1 || len(signatures) != 3 {
				t.Errorf("there were %d nonces and %d signatures", len(nonces), len(signatures))
			}
		})
	}
}

func TestACallEndsInTimeEvenIfBytesKeepArriving(t *testing.T) {
	for name, endless := range map[string]reaction{"hang": hang, "drip": drip, "dripped body": dripBody} {
		endless := endless
		t.Run(name, func(t *testing.T) {
			server := startStub(t, endless)
			startedAt := time.Now()
			err := isAllowed(t, server.client(t, Options{Timeout: 500 * time.Millisecond, MaxAttempts: 1}))
			var failure *Error
			if !errors.As(err, &failure) || failure.Code != "no_answer" || !failure.TimedOut || !errors.Is(err, ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the error is %v", err)
			}
			if taken := time.Since(startedAt); taken < 400*time.Millisecond {
				t.Errorf("it took %s", taken)
			}
		})
	}
}

func TestTheTimeOfTheContextIsThatOfTheCall(t *testing.T) {
	server := startStub(t, hang, answerWith(stubAccess))
	client := server.client(t, Options{Circuit: CircuitOptions{Timeouts: 1}})
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Second)
	defer cancel()
	// The first attempt takes its share of this time, and not of the ten seconds of the client.
	if allowed, err := client.IsAllowed(ctx, "ada"); !allowed || err != nil {
		t.Errorf("IsAllowed returned %v and %v", allowed, err)
	}
	input := server.requests()[0].Header.Get("Signature-Input")
	params := map[string]string{}
	for _, each := range signedParam.FindAllStringSubmatch(input, -1) {
		params[each[1]] = each[2]
	}
	var created, expires int64
	if _, err := fmt.Sscan(params["created"]+" "+params["expires"], &created, &expires); err != nil {
		t.Fatal(err)
	}
	if duration := expires - created; duration > 5 {
		t.Errorf("the signature is valid for %d s", duration)
	}
	ctx, cancel = context.WithTimeout(context.Background(), -time.Second)
	defer cancel()
	if _, err := client.IsAllowed(ctx, "ada"); !errors.Is(err, context.DeadlineExceeded) || len(server.requests()) != 2 {
		t.Errorf("a call after its time returned %v", err)
	}
	// It says nothing about the service.
	if err := isAllowed(t, client); err != nil {
		t.Error(err)
	}
}

func TestACancelledCallIsAborted(t *testing.T) {
	server := startStub(t, hang)
	var told []ResponseEvent
	client := server.client(t, Options{
		Circuit: CircuitOptions{Timeouts: 1},
		Hooks:   Hooks{OnResponse: func(event ResponseEvent) { told = append(told, event) }},
	})
	for i := 1; i <= 2; i++ {
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			for len(server.requests()) < i {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		_, err := client.IsAllowed(ctx, "ada")
		if !errors.Is(err, context.Canceled) || codeOf(err) != "aborted" || errors.Is(err, ErrUnavailable) {
			t.Errorf("a cancelled call returned %v", err)
		}
	}
	if len(told) != 2 || told[0].Code != "aborted" {
		t.Errorf("the hook was told %+v", told)
	}
}

func TestACancelledPauseEndsTheCall(t *testing.T) {
	server := startStub(t, respond(503, "", 0, "Retry-After: 60"))
	ctx, cancel := context.WithCancel(context.Background())
	client := server.client(t, Options{Timeout: 100 * time.Second, Hooks: Hooks{OnRetry: func(RetryEvent) { cancel() }}})
	startedAt := time.Now()
	if _, err := client.IsAllowed(ctx, "ada"); !errors.Is(err, context.Canceled) || time.Since(startedAt) > 50*time.Second {
		t.Errorf("the call returned %v", err)
	}
}

func TestAPauseOfCenturiesIsNotTheShortestOne(t *testing.T) {
	for _, header := range []string{"Fri, 31 Dec 9999 23:59:59 GMT", "999999999"} {
		server := startStub(t, respond(503, "", 0, "Retry-After: "+header))
		if err := isAllowed(t, server.client(t, Options{})); !errors.Is(err, ErrUnavailable) {
			t.Errorf("%s: %v", header, err)
		}
		if sent := len(server.requests()); sent != 1 {
			t.Errorf("%s: %d requests were sent", header, sent)
		}
	}
}

func TestALostConnectionIsNotSharedByAllRequests(t *testing.T) {
	if transport := newTransport(); transport.ForceAttemptHTTP2 || transport.DialContext == nil {
		t.Error("the transport speaks HTTP/2, whose only connection may be lost without notice")
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		server := startStub(t, respond(status, stubAccess, len(stubAccess), "Location: /elsewhere", "Set-Cookie: a=b"))
		if err := isAllowed(t, server.client(t, Options{})); !errors.Is(err, ErrUnexpectedAnswer) {
			t.Errorf("%d returned %v", status, err)
		}
		if len(server.requests()) != 1 {
			t.Errorf("%d was followed", status)
		}
	}
}

func TestTheProxiesOfTheEnvironmentAreNotUsed(t *testing.T) {
	// http.ProxyFromEnvironment ignores proxies for this machine, so a request is built for another one.
	if newTransport().Proxy != nil {
		t.Fatal("the transport uses a proxy")
	}
	proxy := startStub(t, answerWith(stubAccess))
	parsed, err := url.Parse(proxy.url)
	if err != nil {
		t.Fatal(err)
	}
	transport := newTransport()
	transport.Proxy = http.ProxyURL(parsed)
	client, err := NewClient(Options{
		BaseURL: "http://auth.example.com", AllowHTTP: true, Transport: transport, KeyID: kitKey.ID, Secret: kitKey.Secret,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseIdleConnections()
	if err := isAllowed(t, client); err != nil || len(proxy.requests()) != 1 {
		t.Errorf("the transport of the application was not used: %v", err)
	}
}

func TestTheBytesThatAreSignedAreThoseThatAreSent(t *testing.T) {
	server := startStub(t, answerWith(stubChanged))
	reason := "gekündigt – “für immer” <&>"
	access, err := server.client(t, Options{}).SetAccess(context.Background(), "ada", AccessSetting{Status: Disabled, Reason: reason}, IfVersion(3))
	if err != nil || !access.Changed {
		t.Fatal(access, err)
	}
	request := server.requests()[0]
	if request.body != `{"reason":"`+reason+`","status":"disabled"}` {
		t.Errorf("the body is %s", request.body)
	}
	sum := sha256.Sum256([]byte(request.body))
	for name, value := range map[string]string{
		"Content-Digest": "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":",
		"If-Match":       `"3"`,
		"Content-Type":   "application/json",
	} {
		if request.Header.Get(name) != value {
			t.Errorf("%s is %s, not %s", name, request.Header.Get(name), value)
		}
	}
	_, err = server.client(t, Options{}).SetAccess(context.Background(), "ada", AccessSetting{Status: Disabled, Reason: "\xff"})
	if !errors.Is(err, ErrInvalidRequest) || len(server.requests()) != 1 {
		t.Errorf("a reason that is not UTF-8 returned %v", err)
	}
}

func TestAnAnswerThatIsTooLongIsNone(t *testing.T) {
	long := strings.TrimSuffix(stubAccess, "}") + strings.Repeat(" ", maxAnswerBytes) + "}"
	server := startStub(t, answerWith(long))
	if err := isAllowed(t, server.client(t, Options{MaxAttempts: 1})); codeOf(err) != "no_answer" {
		t.Errorf("the call returned %v", err)
	}
}

func TestAnAccessWithoutWhatADecisionNeedsIsNone(t *testing.T) {
	for _, body := range []string{
		strings.Replace(stubAccess, `"roles":[]`, `"roles":null`, 1),
		strings.Replace(stubAccess, `"roles":[],`, ``, 1),
		strings.Replace(stubAccess, `"roles":[]`, `"roles":[{"expiresAt":null}]`, 1),
		strings.Replace(stubAccess, `"roles":[]`, `"roles":[{"name":"a","expiresAt":"soon"}]`, 1),
		strings.Replace(stubAccess, `"until":null`, `"until":"soon"`, 1),
		strings.Replace(stubAccess, `"effectiveStatus":"enabled",`, ``, 1),
		"[" + stubAccess + "]",
	} {
		server := startStub(t, answerWith(body))
		if err := isAllowed(t, server.client(t, Options{})); !errors.Is(err, ErrUnexpectedAnswer) {
			t.Errorf("%s returned %v", body, err)
		}
	}
}

func TestAServiceThatDoesNotAnswerIsLeftAlone(t *testing.T) {
	server := startStub(t, hang, hang, answerWith(stubAccess))
	client := server.client(t, Options{MaxAttempts: 1, Circuit: CircuitOptions{Timeouts: 2, Open: time.Hour}})
	passed := time.Duration(0)
	client.caller.circuit.monotonic = func() time.Duration { return passed }
	for _, code := range []string{"no_answer", "no_answer", "circuit_open", "circuit_open"} {
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		if _, err := client.IsAllowed(ctx, "ada"); codeOf(err) != code || !errors.Is(err, ErrUnavailable) {
			t.Errorf("the call returned %v, not %s", err, code)
		}
		cancel()
	}
	passed = time.Hour
	for i := 0; i < 2; i++ {
		if err := isAllowed(t, client); err != nil {
			t.Error(err)
		}
	}
}

func TestOnlyOneCallProbes(t *testing.T) {
	passed := time.Duration(0)
	monotonic := func() time.Duration { return passed }
	circuit, err := newCircuit(CircuitOptions{Timeouts: 1}, monotonic)
	if err != nil {
		t.Fatal(err)
	}
	circuit.leave(true)
	if err := circuit.enter(); retryAfterOf(err) != 5*time.Second {
		t.Errorf("the circuit is open with %v", err)
	}
	passed = 5 * time.Second
	if circuit.enter() != nil || circuit.enter() == nil {
		t.Error("there is not exactly one probe")
	}
	circuit.leave(false)
	if err := circuit.enter(); err != nil {
		t.Error(err)
	}
	closed, err := newCircuit(CircuitOptions{Timeouts: -1}, monotonic)
	if err != nil {
		t.Fatal(err)
	}
	closed.leave(true)
	if err := closed.enter(); err != nil {
		t.Errorf("a circuit that is kept closed returned %v", err)
	}
}

func TestHooksLearnOfRequests(t *testing.T) {
	server := startStub(t, respond(503, "", 0, "Apigw-Requestid: R"), answerWith(stubAccess))
	var told []string
	client := server.client(t, Options{Hooks: Hooks{
		OnRequest: func(event RequestEvent) { told = append(told, fmt.Sprintf("request %+v", event)) },
		OnResponse: func(event ResponseEvent) {
			if event.Duration <= 0 {
				t.Errorf("the request took %s", event.Duration)
			}
			event.Duration = 0
			told = append(told, fmt.Sprintf("response %+v", event))
		},
		OnRetry: func(event RetryEvent) { told = append(told, fmt.Sprintf("retry %s %s", event.Operation, event.Code)) },
	}})
	if err := isAllowed(t, client); err != nil {
		t.Fatal(err)
	}
	operation := "GET users/{userId}/access"
	wanted := []string{
		"request {Operation:" + operation + " Attempt:1}",
		"response {RequestEvent:{Operation:" + operation + " Attempt:1} Duration:0s Status:503 RequestID:R Code:unavailable}",
		"retry " + operation + " unavailable",
		"request {Operation:" + operation + " Attempt:2}",
		"response {RequestEvent:{Operation:" + operation + " Attempt:2} Duration:0s Status:200 RequestID: Code:}",
	}
	if strings.Join(told, "\n") != strings.Join(wanted, "\n") {
		t.Errorf("the hooks were told\n%s", strings.Join(told, "\n"))
	}
}

func TestOptionsAreChecked(t *testing.T) {
	source := func(context.Context) (Key, error) { return kitKey, nil }
	for name, options := range map[string]Options{
		"http":              {BaseURL: "http://auth.example.com"},
		"a user":            {BaseURL: "https://user@auth.example.com"},
		"a path":            {BaseURL: "https://auth.example.com/other"},
		"a query":           {BaseURL: "https://auth.example.com?x"},
		"a wrong port":      {BaseURL: "https://auth.example.com:port"},
		"another scheme":    {BaseURL: "ftp://auth.example.com"},
		"no host":           {BaseURL: "https://:443"},
		"no address":        {},
		"a negative time":   {BaseURL: kitOrigin, Timeout: -1},
		"too long":          {BaseURL: kitOrigin, Timeout: 301 * time.Second},
		"negative attempts": {BaseURL: kitOrigin, MaxAttempts: -1},
		"too many attempts": {BaseURL: kitOrigin, MaxAttempts: 101},
		"a wrong circuit":   {BaseURL: kitOrigin, Circuit: CircuitOptions{Open: -1}},
		"two keys":          {BaseURL: kitOrigin, Key: source},
	} {
		options.KeyID, options.Secret = kitKey.ID, kitKey.Secret
		if _, err := NewClient(options); err == nil || strings.Contains(err.Error(), kitKey.Secret) {
			t.Errorf("%s is refused with %v", name, err)
		}
	}
	if _, err := NewClient(Options{BaseURL: kitOrigin}); err == nil {
		t.Error("a client needs no key")
	}
	for given, origin := range map[string]string{
		"https://Auth.Example.com/":                 "https://auth.example.com",
		"https://auth.example.com:443/api/service/": "https://auth.example.com",
		"https://auth.example.com:8443/api/service": "https://auth.example.com:8443",
		"http://localhost:3000":                     "http://localhost:3000",
		"http://[::1]:3000":                         "http://[::1]:3000",
	} {
		client, err := NewClient(Options{BaseURL: given, Key: source})
		if err != nil || client.String() != "authservice.Client("+origin+")" {
			t.Errorf("%s is read as %v (%v)", given, client, err)
		}
	}
}

func TestTheKeyOfASource(t *testing.T) {
	server := startStub(t, respond(503, "", 0), answerWith(stubAccess))
	asked := 0
	client := server.client(t, Options{Key: func(context.Context) (Key, error) {
		asked++
		return kitKey, nil
	}})
	if err := isAllowed(t, client); err != nil || asked != 1 || len(server.requests()) != 2 {
		// With another key, the nonce would be that of another call.
		t.Errorf("two attempts asked %d times (%v)", asked, err)
	}
	wrong := server.client(t, Options{Key: func(context.Context) (Key, error) { return Key{kitKey.ID, "svs_short"}, nil }})
	err := isAllowed(t, wrong)
	if !errors.Is(err, ErrSignature) || codeOf(err) != "key_invalid" || strings.Contains(err.Error(), "svs_short") || len(server.requests()) != 2 {
		t.Errorf("a wrong key returned %v", err)
	}
	asked = 0
	failing := server.client(t, Options{MaxAttempts: 2, Key: func(ctx context.Context) (Key, error) {
		asked++
		if _, hasDeadline := ctx.Deadline(); !hasDeadline {
			t.Error("the source may take any time")
		}
		return Key{}, errors.New("no secret store")
	}})
	if err := isAllowed(t, failing); !errors.Is(err, ErrUnavailable) || asked != 2 {
		t.Errorf("a source that fails %d times returned %v", asked, err)
	}
}

func TestTheWebhooksOfTheApplication(t *testing.T) {
	webhook := `{"webhookId":"backend","url":"https://billing.example.com/hooks","format":"standard","enabled":true,` +
		`"events":["access.changed"],"state":"on","lastError":null,"version":1`
	server := startStub(t,
		answerWith(`{"items":[`+webhook+`}],"cursor":null}`),
		answerWith(webhook+`,"changed":false,"secret":"whsec_abc"}`),
		answerWith(webhook+`,"secret":"whsec_def"}`),
		answerWith(`{"complete":true}`),
		answerWith(`{"complete":false}`),
		answerWith(strings.Replace(webhook, "backend", "other", 1)+"}"),
	)
	ctx, client := context.Background(), server.client(t, Options{})
	listed, err := client.ListWebhooks(ctx)
	if err != nil || len(listed) != 1 || listed[0].Events[0] != "access.changed" || !listed[0].Enabled {
		t.Errorf("listed are %+v (%v)", listed, err)
	}
	setting := WebhookSetting{URL: "https://billing.example.com/hooks", Events: []string{"access.changed"}}
	created, err := client.SetWebhook(ctx, "backend", setting, IfVersion(0))
	if err != nil || created.Changed || created.Secret != "whsec_abc" || strings.Contains(fmt.Sprintf("%+v %#v", *created, *created), "whsec") {
		t.Errorf("created is %+v (%v)", created, err)
	}
	rotated, err := client.RotateWebhookSecret(ctx, "backend", 24*time.Hour)
	if err != nil || rotated.Secret != "whsec_def" || !rotated.Changed {
		t.Errorf("rotated is %+v (%v)", rotated, err)
	}
	if err := client.DeleteWebhook(ctx, "backend"); err != nil {
		t.Error(err)
	}
	if err := client.DeleteWebhook(ctx, "backend"); !errors.Is(err, ErrUnexpectedAnswer) {
		t.Errorf("what was not deleted returned %v", err)
	}
	if _, err := client.SetWebhook(ctx, "backend", WebhookSetting{Paused: true, Format: "set"}); !errors.Is(err, ErrUnexpectedAnswer) {
		t.Errorf("another webhook returned %v", err)
	}
	if err := client.DeleteWebhook(ctx, "../x"); !errors.Is(err, ErrInvalidRequest) {
		t.Errorf("a wrong id returned %v", err)
	}
	var sent []string
	for _, request := range server.requests() {
		sent = append(sent, request.Method+" "+request.RequestURI+" "+request.Header.Get("If-Match")+" "+request.body)
	}
	wanted := []string{
		`GET /api/service/webhooks  `,
		`PUT /api/service/webhooks/backend "0" {"events":["access.changed"],"url":"https://billing.example.com/hooks"}`,
		`POST /api/service/webhooks/backend/rotate  {"overlap":"PT86400S"}`,
		`DELETE /api/service/webhooks/backend  `,
		`DELETE /api/service/webhooks/backend  `,
		`PUT /api/service/webhooks/backend  {"enabled":false,"format":"set","url":""}`,
	}
	if strings.Join(sent, "\n") != strings.Join(wanted, "\n") {
		t.Errorf("sent were\n%s", strings.Join(sent, "\n"))
	}
}

// wordy is a transport that reports the end of the time in words of its own.
type wordy struct{}

func (wordy) RoundTrip(request *http.Request) (*http.Response, error) {
	<-request.Context().Done()
	return nil, errors.New("the connection was closed")
}

func TestATransportMayReportTheEndOfTheTimeInOtherWords(t *testing.T) {
	client, err := NewClient(Options{
		BaseURL: kitOrigin, KeyID: kitKey.ID, Secret: kitKey.Secret, Transport: wordy{}, Timeout: 50 * time.Millisecond, MaxAttempts: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	var failure *Error
	if err := isAllowed(t, client); !errors.As(err, &failure) || !failure.TimedOut || !errors.Is(err, ErrUnavailable) {
		t.Errorf("the error is %v", err)
	}
}
