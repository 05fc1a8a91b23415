package authservice

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

type signatureCase struct {
	Name, Expected, SignatureBase, Signature string
	Key                                      struct{ ID, Secret, Algorithm string }
	Request                                  struct {
		Method, URL, Body, BodyBase64 string
		Headers                       map[string]any
	}
}

var (
	signedParam  = regexp.MustCompile(`;(\w+)="?([^";]+)`)
	signedParams = regexp.MustCompile(`^;created=\d+;nonce="[^"\\]*";keyid="[^"]*"(;expires=\d+)?$`)
)

func (c signatureCase) header(name string) string {
	text, _ := c.Request.Headers[name].(string)
	return text
}

func (c signatureCase) body(t *testing.T) []byte {
	if c.Request.Body != "" {
		return []byte(c.Request.Body)
	}
	body, err := base64.StdEncoding.DecodeString(c.Request.BodyBase64)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// isOurs reports whether the profile of the SDK signs such a request: the required components in their order, and no more parameters.
func (c signatureCase) isOurs(t *testing.T) bool {
	if c.Expected != "accepted" || c.Key.Algorithm != "hmac-sha256" || strings.Contains(c.Request.URL, "|") {
		return false
	}
	covered := `sig1=("@method" "@authority" "@path"`
	if _, query, _ := strings.Cut(c.Request.URL, "?"); query != "" {
		covered += ` "@query"`
	}
	if len(c.body(t)) > 0 {
		covered += ` "content-digest"`
	}
	if c.header("If-Match") != "" {
		covered += ` "if-match"`
	}
	for _, value := range c.Request.Headers {
		if _, isSingle := value.(string); !isSingle {
			return false
		}
	}
	params := strings.TrimPrefix(c.header("Signature-Input"), covered+")")
	return signedParams.MatchString(params) && !strings.Contains(c.header("Content-Digest"), "sha-512")
}

func TestSignatures(t *testing.T) {
	var cases []signatureCase
	readKit(t, "signatures", &cases)
	count := 0
	for _, each := range cases {
		if !each.isOurs(t) {
			continue
		}
		count++
		each := each
		t.Run(each.Name, func(t *testing.T) { each.compare(t) })
	}
	if count <= 20 {
		t.Errorf("only %d of the accepted vectors are signed", count)
	}
}

func (c signatureCase) compare(t *testing.T) {
	params := map[string]string{}
	for _, each := range signedParam.FindAllStringSubmatch(c.header("Signature-Input"), -1) {
		params[each[1]] = each[2]
	}
	parsed, err := url.Parse(c.Request.URL)
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) time.Time {
		if params[name] == "" {
			return time.Time{}
		}
		seconds, err := strconv.ParseInt(params[name], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return time.Unix(seconds, 0)
	}
	found := signing{
		method:  c.Request.Method,
		url:     parsed,
		body:    c.body(t),
		ifMatch: strings.TrimSpace(c.header("If-Match")),
		nonce:   params["nonce"],
		created: at("created"),
		expires: at("expires"),
	}.sign(Key{c.Key.ID, c.Key.Secret})
	if found.base != c.SignatureBase {
		t.Errorf("the signature base is\n%s\nnot\n%s", found.base, c.SignatureBase)
	}
	for name, value := range map[string]string{
		"Signature":       "sig1=:" + c.Signature + ":",
		"Signature-Input": c.header("Signature-Input"),
		"Content-Digest":  c.header("Content-Digest"),
	} {
		if found.headers[name] != value {
			t.Errorf("%s is %q, not %q", name, found.headers[name], value)
		}
	}
}

func TestSignRequestSignsNowWithANewNonce(t *testing.T) {
	key := Key{kitKey.ID, "svs_" + strings.Repeat("A", 43)}
	nonces := map[string]bool{}
	for i := 0; i < 2; i++ {
		request, err := http.NewRequest(http.MethodGet, kitOrigin+"/api/service/users/ada/access", nil)
		if err != nil {
			t.Fatal(err)
		}
		before := time.Now().Unix()
		nonce, err := SignRequest(request, nil, key, SignOptions{})
		if err != nil || len(nonce) != 32 {
			t.Fatalf("the nonce is %q (%v)", nonce, err)
		}
		nonces[nonce] = true
		input := request.Header.Get("Signature-Input")
		created, err := strconv.ParseInt(signedParam.FindStringSubmatch(input)[2], 10, 64)
		if err != nil || created < before || created > time.Now().Unix() || strings.Contains(input, "expires") || !strings.Contains(input, nonce) {
			t.Errorf("the parameters are %s (%v)", input, err)
		}
	}
	if len(nonces) != 2 {
		t.Error("two calls have one nonce")
	}
}

func TestSignatureTimesAreRoundedOutwards(t *testing.T) {
	request, err := http.NewRequest(http.MethodGet, kitOrigin, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := kitStart.Add(900 * time.Millisecond)
	if _, err := SignRequest(request, nil, kitKey, SignOptions{Nonce: "n", Created: at, Expires: at.Add(time.Second)}); err != nil {
		t.Fatal(err)
	}
	wanted := fmt.Sprintf(`sig1=("@method" "@authority" "@path");created=%d;nonce="n";keyid="%s";expires=%d`, kitStart.Unix(), kitKey.ID, kitStart.Unix()+2)
	if input := request.Header.Get("Signature-Input"); input != wanted {
		t.Errorf("the parameters are %s, not %s", input, wanted)
	}
	if _, err := SignRequest(request, nil, kitKey, SignOptions{Nonce: `n";keyid="x`}); err == nil {
		t.Error("a nonce with a quote was signed")
	}
}

func TestWhatIsNoKeyIsRefusedWithoutItsValues(t *testing.T) {
	secret := "svs_" + strings.Repeat("A", 43)
	for _, key := range []Key{{"", secret}, {secret, secret}, {kitKey.ID, kitKey.ID}, {kitKey.ID, secret + "\n"}, {kitKey.ID + "\n", secret}} {
		_, err := NewClient(Options{BaseURL: kitOrigin, KeyID: key.ID, Secret: key.Secret})
		if err == nil || strings.Contains(err.Error(), "AAAA") || strings.Contains(err.Error(), "01JD2Y8Q4M5N6P7R8S9TAVBWCX") {
			t.Errorf("a wrong key is refused with %v", err)
		}
		request, _ := http.NewRequest(http.MethodGet, kitOrigin, nil)
		if _, err := SignRequest(request, nil, key, SignOptions{}); err == nil {
			t.Error("a wrong key has signed")
		}
	}
}

func TestTheSecretOfAKeyIsNotShown(t *testing.T) {
	options := Options{BaseURL: kitOrigin, KeyID: kitKey.ID, Secret: kitKey.Secret}
	client, err := NewClient(options)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(kitKey)
	if err != nil {
		t.Fatal(err)
	}
	shown := fmt.Sprintf("%v %+v %#v %s %v %+v %#v %s", kitKey, kitKey, kitKey, encoded, client, *client, client, &kitKey)
	shown += fmt.Sprintf("%v %+v %#v", options, &options, options)
	if strings.Contains(shown, "svs_") || !strings.Contains(shown, kitKey.ID) {
		t.Errorf("shown are %s", shown)
	}
	if kitKey.AppID() != "billing" {
		t.Errorf("the application is %s", kitKey.AppID())
	}
}
