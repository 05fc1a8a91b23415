package authservice

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Options of a [Client]. Only the address and a key are required.
type Options struct {
	// BaseURL is scheme and host of the service, such as https://auth.example.com.
	BaseURL string
	// KeyID is that of the API key.
	KeyID string
	// Secret is that of the API key.
	Secret string
	// Key returns the key, instead of KeyID and Secret.
	Key KeySource
	// Timeout is how long a call may take, with all attempts and the pauses between them; 10 seconds by default, at most 300. The
	// context of a call can end it earlier.
	Timeout time.Duration
	// MaxAttempts is the number of requests of a call; 4 by default, 1 means no retry, at most 100. Each may take its share of the
	// remaining time.
	MaxAttempts int
	// Circuit says when calls fail immediately because earlier ones timed out.
	Circuit CircuitOptions
	// Hooks are told about each request.
	Hooks Hooks
	// AllowHTTP allows http:// to other machines, where anyone on the network can answer "enabled".
	AllowHTTP bool
	// Transport sends the requests; by default one that ignores the proxies that the environment names.
	Transport http.RoundTripper
	// Now is the time by which requests are signed and blocks expire, for tests.
	Now func() time.Time
}

// String returns the address, because the options have a secret.
func (o Options) String() string {
	return "authservice.Options(" + o.BaseURL + ")"
}

// GoString returns the same as String.
func (o Options) GoString() string {
	return o.String()
}

// A Client reads and changes access as one application, with its API key.
//
// Each request is signed. After a 429, a 503 or a lost response the client retries with the nonce of the call and a new signature,
// so a write takes effect only once: a retry returns the outcome of the first request, whatever has changed since. It fails closed:
// an error or an unexpected response never counts as enabled.
//
// One client serves any number of goroutines. Its errors are of the type *[Error].
type Client struct {
	caller *caller
	close  func()
}

// NewClient returns an error for an invalid option. It names no value: any may be a misplaced secret.
func NewClient(options Options) (*Client, error) {
	origin, err := readOrigin(options.BaseURL, options.AllowHTTP)
	if err != nil {
		return nil, err
	}
	key, err := readKey(options)
	if err != nil {
		return nil, err
	}
	if options.Timeout == 0 {
		options.Timeout = 10 * time.Second
	}
	if options.Timeout < 0 || options.Timeout > maxCallTime {
		return nil, errors.New("authservice: Timeout must be positive and at most 300 seconds")
	}
	if options.MaxAttempts == 0 {
		options.MaxAttempts = 4
	}
	if options.MaxAttempts < 0 || options.MaxAttempts > 100 {
		return nil, errors.New("authservice: MaxAttempts must be from 1 to 100")
	}
	clocks := systemClocks(options.Now)
	circuit, err := newCircuit(options.Circuit, clocks.monotonic)
	if err != nil {
		return nil, err
	}
	transport, closeIdle := options.Transport, func() {}
	if transport == nil {
		own := newTransport()
		transport, closeIdle = own, own.CloseIdleConnections
	}
	return &Client{
		caller: &caller{
			origin:      origin,
			key:         key,
			hooks:       options.Hooks,
			circuit:     circuit,
			clocks:      clocks,
			exchange:    exchangeBy(transport),
			timeout:     options.Timeout,
			maxAttempts: options.MaxAttempts,
		},
		close: closeIdle,
	}, nil
}

// readKey returns the source of the key. The key itself is only in a closure, which nothing prints.
func readKey(options Options) (KeySource, error) {
	if options.Key != nil {
		if options.KeyID != "" || options.Secret != "" {
			return nil, errors.New("authservice: give either Key, or KeyID and Secret")
		}
		return options.Key, nil
	}
	key := Key{options.KeyID, options.Secret}
	if err := key.validate(); err != nil {
		return nil, err
	}
	return func(context.Context) (Key, error) { return key, nil }, nil
}

// String returns the address of the service.
func (c *Client) String() string {
	return "authservice.Client(" + c.caller.origin + ")"
}

// CloseIdleConnections closes the connections of the client's own transport that no call uses.
func (c *Client) CloseIdleConnections() {
	c.close()
}

var (
	originPattern = regexp.MustCompile(`^(https?)://([!-~]+?)/?(?:api/service/?)?$`)
	localPattern  = regexp.MustCompile(`^http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$`)
)

// readOrigin returns scheme and host, without a trailing slash. Plain http to other machines is not valid: anyone on the network
// could answer "enabled".
func readOrigin(baseURL string, allowHTTP bool) (string, error) {
	invalid := errors.New("authservice: BaseURL must be https://host, or http://host with AllowHTTP")
	found := originPattern.FindStringSubmatch(baseURL)
	if found == nil || strings.ContainsAny(found[2], `/@?#\`) {
		return "", invalid
	}
	parsed, err := url.Parse(found[1] + "://" + found[2])
	if err != nil || parsed.Hostname() == "" {
		return "", invalid
	}
	origin := parsed.Scheme + "://" + authorityOf(parsed)
	if parsed.Scheme == "http" && !allowHTTP && !localPattern.MatchString(origin) {
		return "", invalid
	}
	return origin, nil
}
