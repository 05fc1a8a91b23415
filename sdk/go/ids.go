package authservice

import (
	"net/url"
	"regexp"
	"strings"
)

const maxUserIDLength = 128

var webhookIDPattern = regexp.MustCompile(`^[a-z][a-z0-9-]{1,39}$`)

// isUserID reports whether a text can be the id of a user, as the service checks it. It is in the path of every check, so it uses
// no regular expression.
func isUserID(id string) bool {
	if id == "" || id == "." || id == ".." || len(id) > maxUserIDLength {
		return false
	}
	for i := 0; i < len(id); i++ {
		c := id[i]
		isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !isLetter && strings.IndexByte("-._~!$&'()*+,;=:@|", c) < 0 {
			return false
		}
	}
	return true
}

// requireUserID returns an error for an id that no user can have, before a request is sent.
func requireUserID(id string) error {
	if !isUserID(id) {
		return invalidRequest("path:userId is not the id of a user")
	}
	return nil
}

func requireWebhookID(id string) error {
	if !webhookIDPattern.MatchString(id) {
		return invalidRequest("path:webhookId is not the id of a webhook")
	}
	return nil
}

// encode percent-encodes all but the unreserved characters (RFC 3986 section 2.3): the service signs the path as it is sent.
func encode(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}
