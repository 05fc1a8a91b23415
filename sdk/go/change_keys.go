package authservice

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	// changeKeysPause: invented names must not make the receiver call the service for each change.
	changeKeysPause    = time.Minute
	changeKeysTimeout  = 5 * time.Second
	maxChangeKeysBytes = 65_536
)

// ChangeKeysOptions are those of [ChangeKeys].
type ChangeKeysOptions struct {
	// BaseURL is scheme and host of the service. No API key is needed.
	BaseURL string
	// Keep is how long fetched keys are used; an hour by default.
	Keep time.Duration
	// AllowHTTP allows http:// to other machines.
	AllowHTTP bool
	// Transport sends the requests; by default one that ignores the proxies that the environment names.
	Transport http.RoundTripper
}

// ChangeKeys fetches the service's public keys when they are first needed, and keeps them. An unknown name fetches them again, at
// most once a minute. While the service does not answer, known keys are still used. It serves any number of goroutines.
type ChangeKeys struct {
	url       string
	keep      time.Duration
	exchange  exchanger
	monotonic func() time.Duration

	mu        sync.Mutex
	known     *KeySet
	fetchedAt time.Duration
	triedAt   time.Duration
	failure   error
}

// NewChangeKeys returns an error for an invalid option.
func NewChangeKeys(options ChangeKeysOptions) (*ChangeKeys, error) {
	origin, err := readOrigin(options.BaseURL, options.AllowHTTP)
	if err != nil {
		return nil, err
	}
	if options.Keep < 0 {
		return nil, errors.New("authservice: Keep must be positive")
	}
	if options.Keep == 0 {
		options.Keep = time.Hour
	}
	if options.Transport == nil {
		options.Transport = newTransport()
	}
	return &ChangeKeys{
		url:       origin + "/api/service/change-keys",
		keep:      options.Keep,
		exchange:  exchangeBy(options.Transport),
		monotonic: systemClocks(nil).monotonic,
		known:     &KeySet{},
		fetchedAt: -maxDuration,
		triedAt:   -maxDuration,
	}, nil
}

// FindKey returns the key of a name, or [ErrNoKey] if the service has none of this name.
func (k *ChangeKeys) FindKey(ctx context.Context, name string) (ed25519.PublicKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	key, err := k.known.FindKey(ctx, name)
	now := k.monotonic()
	isFresh := err == nil && now-k.keep < k.fetchedAt
	if !isFresh && now-changeKeysPause >= k.triedAt {
		found, failure := k.fetch(ctx)
		switch {
		case failure == nil:
			k.known, k.fetchedAt, k.triedAt, k.failure = found, now, now, nil
		case ctx.Err() != nil:
			// A caller that does not wait says nothing about the service.
			return nil, ctx.Err()
		default:
			k.triedAt, k.failure = now, failure
		}
		key, err = k.known.FindKey(ctx, name)
	}
	if err != nil && k.failure != nil {
		return nil, k.failure
	}
	return key, err
}

func (k *ChangeKeys) fetch(ctx context.Context) (*KeySet, error) {
	request := signedRequest{method: http.MethodGet, url: k.url, headers: map[string]string{"Accept": "application/json"}}
	found, err := k.exchange(ctx, request, changeKeysTimeout)
	if err != nil {
		return nil, err
	}
	if found.status != http.StatusOK {
		return nil, fmt.Errorf("authservice: the service answered %d", found.status)
	}
	if len(found.body) > maxChangeKeysBytes {
		return nil, errors.New("authservice: the answer is too long")
	}
	return ParseKeySet(found.body)
}
