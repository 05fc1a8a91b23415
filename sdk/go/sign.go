package authservice

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// SignOptions choose what [SignRequest] otherwise chooses itself.
type SignOptions struct {
	// Nonce identifies the call: sign each retry with that of the first attempt and a later Created, for at most 300 seconds. By
	// default 128 random bits.
	Nonce string
	// Created is the time of the signature, now by default.
	Created time.Time
	// Expires is when the service stops accepting the request, at most five minutes after Created; by default after these.
	Expires time.Time
}

// SignRequest signs a request for another HTTP client, by the service's profile of HTTP Message Signatures (RFC 9421): it adds
// the headers Signature-Input and Signature, and Content-Digest for a body. It covers the header If-Match, if there is one.
//
// Send exactly this URL and exactly these bytes of the body, and follow no redirect. Accept only an answer whose header
// Request-Nonce is the returned nonce. The signature is valid for five minutes, and for one write.
func SignRequest(request *http.Request, body []byte, key Key, options SignOptions) (nonce string, err error) {
	if err := key.validate(); err != nil {
		return "", err
	}
	given := signing{
		method:  request.Method,
		url:     request.URL,
		body:    body,
		ifMatch: request.Header.Get("If-Match"),
		nonce:   options.Nonce,
		created: options.Created,
		expires: options.Expires,
	}
	if given.nonce == "" {
		if given.nonce, err = newNonce(); err != nil {
			return "", err
		}
	}
	if strings.ContainsAny(given.nonce, "\"\\\r\n") {
		return "", errors.New("authservice: the nonce has a character that a signature cannot carry")
	}
	if given.created.IsZero() {
		given.created = time.Now()
	}
	if given.method == "" {
		given.method = http.MethodGet
	}
	for name, value := range given.sign(key).headers {
		request.Header.Set(name, value)
	}
	return given.nonce, nil
}

// signing is what a signature covers.
type signing struct {
	method  string
	url     *url.URL
	body    []byte
	ifMatch string
	nonce   string
	created time.Time
	// expires is zero for none.
	expires time.Time
}

// signature has the headers to add to a request, and the text that was signed.
type signature struct {
	headers map[string]string
	base    string
}

// sign rounds the time of the signature down, and its end up.
func (s signing) sign(key Key) signature {
	headers := map[string]string{}
	names := []string{"@method", "@authority", "@path"}
	values := []string{s.method, authorityOf(s.url), pathOf(s.url)}
	if s.url.RawQuery != "" {
		names, values = append(names, "@query"), append(values, "?"+s.url.RawQuery)
	}
	if len(s.body) > 0 {
		sum := sha256.Sum256(s.body)
		headers["Content-Digest"] = "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
		names, values = append(names, "content-digest"), append(values, headers["Content-Digest"])
	}
	if s.ifMatch != "" {
		names, values = append(names, "if-match"), append(values, s.ifMatch)
	}
	created := s.created.Unix()
	params := fmt.Sprintf(`("%s");created=%d;nonce="%s";keyid="%s"`, strings.Join(names, `" "`), created, s.nonce, key.ID)
	if !s.expires.IsZero() {
		expires := s.expires.Add(time.Second - 1).Unix()
		if expires < created {
			expires = created
		}
		params += fmt.Sprintf(";expires=%d", expires)
	}
	var base strings.Builder
	for i, name := range names {
		fmt.Fprintf(&base, "\"%s\": %s\n", name, values[i])
	}
	base.WriteString(`"@signature-params": ` + params)
	mac := hmac.New(sha256.New, []byte(key.Secret))
	mac.Write([]byte(base.String()))
	headers["Signature-Input"] = "sig1=" + params
	headers["Signature"] = "sig1=:" + base64.StdEncoding.EncodeToString(mac.Sum(nil)) + ":"
	return signature{headers, base.String()}
}

// authorityOf returns the host in lower case, and the port unless it is the default of the scheme (RFC 9421 section 2.2.3).
func authorityOf(u *url.URL) string {
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == "" || (u.Scheme == "https" && port == "443") || (u.Scheme == "http" && port == "80") {
		return host
	}
	return host + ":" + port
}

func pathOf(u *url.URL) string {
	if path := u.EscapedPath(); path != "" {
		return path
	}
	return "/"
}

// newNonce returns 128 random bits, which identify a call.
func newNonce() (string, error) {
	var random [16]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", fmt.Errorf("authservice: no random bits for a nonce: %w", err)
	}
	return hex.EncodeToString(random[:]), nil
}

// describeDifference says which line of two signature bases differs, or that only the secret can be wrong.
func describeDifference(signed, expected string) string {
	ours := strings.Split(signed, "\n")
	for i, line := range strings.Split(expected, "\n") {
		if i >= len(ours) {
			return fmt.Sprintf("nothing was signed where the server has %s", line)
		}
		if ours[i] != line {
			return fmt.Sprintf("signed %s, the server has %s", ours[i], line)
		}
	}
	return "same signature base: wrong secret"
}
