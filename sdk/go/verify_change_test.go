package authservice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

type changeCase struct {
	Name, Change, Expected string
	Keys                   json.RawMessage
}

func reasonOf(err error) NotVerifiedReason {
	var failure *ChangeNotVerifiedError
	if errors.As(err, &failure) {
		return failure.Reason
	}
	return "verified"
}

func TestChanges(t *testing.T) {
	var cases []changeCase
	readKit(t, "changes", &cases)
	for _, each := range cases {
		each := each
		t.Run(each.Name, func(t *testing.T) {
			keys, err := ParseKeySet(each.Keys)
			if err != nil {
				t.Fatal(err)
			}
			if reason := reasonOf(VerifyChange(context.Background(), []byte(each.Change), keys)); string(reason) != each.Expected {
				t.Errorf("it is %s, not %s", reason, each.Expected)
			}
		})
	}
}

func TestWhatIsNoChangeIsNotVerified(t *testing.T) {
	keys, err := ParseKeySet([]byte(`{"keys":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []string{"", "null", "[]", "{} {}", `{"signature":null}`, `{"signature":1}`} {
		if VerifyChange(context.Background(), []byte(change), keys) == nil {
			t.Errorf("%s is verified", change)
		}
	}
	for _, body := range []string{"", "[]", "{}"} {
		if _, err := ParseKeySet([]byte(body)); err == nil {
			t.Errorf("%s is a set of keys", body)
		}
	}
}

func TestAKeyOfAnotherLengthIsNone(t *testing.T) {
	var cases []changeCase
	readKit(t, "changes", &cases)
	for _, x := range []string{"", "AAAA", strings.Repeat("A", 86), "?"} {
		var given struct{ Keys []map[string]any }
		fill(t, cases[0].Keys, &given)
		given.Keys[0]["x"] = x
		keys, err := ParseKeySet(marshal(t, map[string]any{"keys": given.Keys}))
		if err != nil {
			t.Fatal(err)
		}
		if reason := reasonOf(VerifyChange(context.Background(), []byte(cases[0].Change), keys)); reason != UnknownKey {
			t.Errorf("with the key %q it is %s", x, reason)
		}
	}
}

func TestNumbersAreWrittenAsByECMAScript(t *testing.T) {
	for given, wanted := range map[string]string{
		"0.0":                                   "0",
		"-0.0":                                  "0",
		"5e-324":                                "5e-324",
		"1.7976931348623157e308":                "1.7976931348623157e+308",
		"1e21":                                  "1e+21",
		"1e20":                                  "100000000000000000000",
		"999999999999999900000.0":               "999999999999999900000",
		"9.999999999999997e22":                  "9.999999999999997e+22",
		"0.000001":                              "0.000001",
		"1e-7":                                  "1e-7",
		"333333333.33333329":                    "333333333.3333333",
		"-1e-9":                                 "-1e-9",
		"9007199254740993":                      "9007199254740992",
		`"\u0001\b\t\n\u000b\f\r\"\\/\u2028<é"`: `"\u0001\b\t\n\u000b\f\r\"\\/` + "\u2028" + `<é"`,
		`{"\ue000":1,"\ud83d\ude00":2,"a":[true,null]}`: `{"a":[true,null],"😀":2,"` + "\ue000" + `":1}`,
	} {
		parsed, err := parseJSON([]byte(given))
		if err != nil {
			t.Fatal(err)
		}
		text, err := canonicalJSON(parsed)
		if err != nil || string(text) != wanted {
			t.Errorf("%s is written as %s (%v), not %s", given, text, err, wanted)
		}
	}
}

func TestKeysAreFetchedOnceAndKeptInAnOutage(t *testing.T) {
	var cases []changeCase
	readKit(t, "changes", &cases)
	var requests, status atomic.Int32
	status.Store(http.StatusFound)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(int(status.Load()))
		fmt.Fprintf(w, "%s", cases[0].Keys)
	}))
	defer server.Close()
	keys, err := NewChangeKeys(ChangeKeysOptions{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	passed := time.Duration(0)
	keys.monotonic = func() time.Duration { return passed }
	verify := func(wanted NotVerifiedReason, wantedRequests int32) {
		t.Helper()
		reason := reasonOf(VerifyChange(context.Background(), []byte(cases[0].Change), keys))
		if reason != wanted || requests.Load() != wantedRequests {
			t.Errorf("it is %s after %d requests, not %s after %d", reason, requests.Load(), wanted, wantedRequests)
		}
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := keys.FindKey(cancelled, "k1"); !errors.Is(err, context.Canceled) || requests.Load() != 0 {
		t.Errorf("a cancelled search returned %v", err)
	}
	verify(KeysUnavailable, 1)
	status.Store(http.StatusOK)
	verify(KeysUnavailable, 1)
	passed = time.Minute
	verify("verified", 2)
	status.Store(http.StatusServiceUnavailable)
	passed += 2 * time.Hour
	verify("verified", 3)
	if _, err := keys.FindKey(context.Background(), "invented"); errors.Is(err, ErrNoKey) || requests.Load() != 3 {
		t.Errorf("an unknown key is %v during an outage", err)
	}
}
