package authservice

import (
	"context"
	"errors"
	"regexp"
	"strings"
)

// A Key is an API key, as issued. Its secret is never sent, printed or encoded.
type Key struct {
	// ID is svk_…, and is sent with each request.
	ID string
	// Secret is svs_….
	Secret string `json:"-"`
}

// A KeySource returns the current key for each call, so that it can be rotated while the application runs. It should cache what
// it reads.
type KeySource func(ctx context.Context) (Key, error)

var (
	keyIDPattern  = regexp.MustCompile(`^svk_[A-Za-z0-9]+_[a-z0-9-]+_[A-Za-z0-9]+$`)
	secretPattern = regexp.MustCompile(`^svs_[A-Za-z0-9_-]{43}$`)
)

// read reads the key. An invalid one is not worth a retry, unlike one that is missing.
func (s KeySource) read(ctx context.Context) (Key, *Error) {
	key, err := s(ctx)
	if err != nil {
		return Key{}, noAnswer(ctx, err)
	}
	if err := key.validate(); err != nil {
		return Key{}, &Error{Code: "key_invalid", Detail: err.Error(), class: ErrSignature}
	}
	return key, nil
}

// validate returns an error without the values: any may be a misplaced secret. The id is sent, so a secret must not be accepted in
// its place.
func (k Key) validate() error {
	if !keyIDPattern.MatchString(k.ID) {
		return errors.New("authservice: the id of the key is " + stateOf(k.ID) + ": it must be svk_...")
	}
	if !secretPattern.MatchString(k.Secret) {
		return errors.New("authservice: the secret of the key is " + stateOf(k.Secret) + ": it must be svs_...")
	}
	return nil
}

func stateOf(value string) string {
	if value == "" {
		return "missing"
	}
	return "not valid"
}

// AppID returns the application, which the id of a valid key names.
func (k Key) AppID() string {
	if parts := strings.Split(k.ID, "_"); len(parts) == 4 {
		return parts[2]
	}
	return ""
}

// String returns the key without its secret.
func (k Key) String() string {
	return "{" + k.ID + " (secret)}"
}

// GoString returns the key without its secret.
func (k Key) GoString() string {
	return "authservice.Key" + k.String()
}
