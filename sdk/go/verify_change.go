package authservice

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"regexp"
)

// A NotVerifiedReason says why a change is not verified.
type NotVerifiedReason string

// The reasons, of which only KeysUnavailable says nothing about the change.
const (
	// MissingSignature means that the service did not sign it, or that somebody removed the signature.
	MissingSignature NotVerifiedReason = "missing-signature"
	// Malformed means that the signature is not one of the service's form.
	Malformed NotVerifiedReason = "malformed"
	// UnknownKey means that the service has no key of the name in the signature.
	UnknownKey NotVerifiedReason = "unknown-key"
	// Altered means that it is not what the service signed.
	Altered NotVerifiedReason = "altered"
	// KeysUnavailable means that the keys could not be fetched: try again.
	KeysUnavailable NotVerifiedReason = "keys-unavailable"
)

// A ChangeNotVerifiedError is a change that must not be trusted.
type ChangeNotVerifiedError struct {
	// Reason is what to branch on.
	Reason NotVerifiedReason
	cause  error
}

// Error returns the reason.
func (e *ChangeNotVerifiedError) Error() string {
	return "authservice: the change is not verified: " + string(e.Reason)
}

// Unwrap returns why the keys are unavailable.
func (e *ChangeNotVerifiedError) Unwrap() error {
	return e.cause
}

// ErrNoKey is what a [KeyFinder] returns for a name without a key.
var ErrNoKey = errors.New("authservice: the service has no key of this name")

// A KeyFinder finds the public key of a name: a [KeySet] or [ChangeKeys].
type KeyFinder interface {
	// FindKey returns an Ed25519 key, and ErrNoKey if the service has none of this name.
	FindKey(ctx context.Context, name string) (ed25519.PublicKey, error)
}

var detachedPattern = regexp.MustCompile(`^([A-Za-z0-9_-]{1,200})\.\.([A-Za-z0-9_-]{86})$`)

// VerifyChange returns nil if the service signed exactly this change, the Raw of a [Change] or the detail of an event, and otherwise a
// *[ChangeNotVerifiedError]. It does not tell whether the change is the newest one, or was received before.
func VerifyChange(ctx context.Context, change []byte, keys KeyFinder) error {
	members, err := parseJSON(change)
	if err != nil {
		return &ChangeNotVerifiedError{Altered, err}
	}
	object, isObject := members.(map[string]any)
	given, isSigned := object["signature"]
	if !isObject || !isSigned || given == nil {
		return &ChangeNotVerifiedError{Reason: MissingSignature}
	}
	delete(object, "signature")
	header, name, mac, err := parseDetached(given)
	if err != nil {
		return &ChangeNotVerifiedError{Malformed, err}
	}
	key, err := keys.FindKey(ctx, name)
	if errors.Is(err, ErrNoKey) || err == nil && len(key) != ed25519.PublicKeySize {
		return &ChangeNotVerifiedError{Reason: UnknownKey}
	}
	if err != nil {
		return &ChangeNotVerifiedError{KeysUnavailable, err}
	}
	canonical, err := canonicalJSON(object)
	if err != nil {
		return &ChangeNotVerifiedError{Altered, err}
	}
	signed := header + "." + base64.RawURLEncoding.EncodeToString(canonical)
	if !ed25519.Verify(key, []byte(signed), mac) {
		return &ChangeNotVerifiedError{Reason: Altered}
	}
	return nil
}

// parseDetached returns the parts of a JWS with detached content (RFC 7515, appendix F). Its header names the algorithm, never
// another one.
func parseDetached(given any) (header, name string, mac []byte, err error) {
	malformed := errors.New("not a detached JWS")
	signature, _ := given.(string)
	found := detachedPattern.FindStringSubmatch(signature)
	if found == nil {
		return "", "", nil, malformed
	}
	decoded, err := base64.RawURLEncoding.DecodeString(found[1])
	if err != nil {
		return "", "", nil, err
	}
	var members map[string]any
	if err := json.Unmarshal(decoded, &members); err != nil {
		return "", "", nil, err
	}
	name, isText := members["kid"].(string)
	if _, isCritical := members["crit"]; members["alg"] != "EdDSA" || !isText || isCritical {
		return "", "", nil, malformed
	}
	mac, err = base64.RawURLEncoding.DecodeString(found[2])
	return found[1], name, mac, err
}

// A KeySet has the public keys of the service, Ed25519 keys as JWKs (RFC 7517, RFC 8037).
type KeySet struct {
	keys map[string]ed25519.PublicKey
}

// ParseKeySet reads the answer of GET /api/service/change-keys.
func ParseKeySet(body []byte) (*KeySet, error) {
	var given struct {
		Keys []struct{ Kid, Kty, Crv, X string }
	}
	if decode(body, &given) != nil || given.Keys == nil {
		return nil, errors.New("authservice: not a set of keys")
	}
	set := &KeySet{map[string]ed25519.PublicKey{}}
	for _, each := range given.Keys {
		if x, err := base64.RawURLEncoding.DecodeString(each.X); err == nil && each.Kty == "OKP" && each.Crv == "Ed25519" {
			set.keys[each.Kid] = x
		}
	}
	return set, nil
}

// FindKey returns the key of a name, or [ErrNoKey].
func (s *KeySet) FindKey(_ context.Context, name string) (ed25519.PublicKey, error) {
	if key, isKnown := s.keys[name]; isKnown {
		return key, nil
	}
	return nil, ErrNoKey
}
