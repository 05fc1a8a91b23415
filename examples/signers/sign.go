package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
)

// sign adds a signature and returns its base. The nonce identifies the call: a retry keeps it and uses a later time.
func sign(req *http.Request, body []byte, keyID, secret, created, nonce string) string {
	var names, base string
	cover := func(name, value string) {
		names, base = names+fmt.Sprintf(" %q", name), base+fmt.Sprintf("%q: %s\n", name, value)
	}
	defaultPort := map[string]string{"http": ":80", "https": ":443"}[req.URL.Scheme]
	cover("@method", req.Method)
	cover("@authority", strings.TrimSuffix(strings.ToLower(req.URL.Host), defaultPort))
	cover("@path", req.URL.EscapedPath())
	if req.URL.RawQuery != "" {
		cover("@query", "?"+req.URL.RawQuery)
	}
	if len(body) > 0 {
		digest := sha256.Sum256(body)
		req.Header.Set("Content-Digest", "sha-256=:"+base64.StdEncoding.EncodeToString(digest[:])+":")
		cover("content-digest", req.Header.Get("Content-Digest"))
	}
	if ifMatch := req.Header.Get("If-Match"); ifMatch != "" {
		cover("if-match", ifMatch)
	}
	params := fmt.Sprintf(`(%s);created=%s;nonce="%s";keyid="%s"`, names[1:], created, nonce, keyID)
	base += `"@signature-params": ` + params
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(base))
	req.Header.Set("Signature-Input", "sig1="+params)
	req.Header.Set("Signature", "sig1=:"+base64.StdEncoding.EncodeToString(mac.Sum(nil))+":")
	return base
}
