package authservice

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// maxAnswerBytes is more than a function of the service can answer.
const maxAnswerBytes = 32 << 20

// signedRequest must be sent exactly as it is.
type signedRequest struct {
	method  string
	url     string
	headers map[string]string
	body    []byte
}

// An exchanger sends a request, follows no redirect, and returns the answer, complete within the time.
type exchanger func(ctx context.Context, request signedRequest, timeout time.Duration) (*answer, error)

// newTransport ignores what the environment says about proxies, which may be meant for other programs: a proxy can answer.
// It speaks HTTP/1.1, where the timeout of a request closes its connection: all requests would share one of HTTP/2, also after it is
// lost, which net/http does not notice by itself.
func newTransport() *http.Transport {
	return &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		MaxIdleConns:        100,
		MaxIdleConnsPerHost: 32,
		IdleConnTimeout:     60 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
	}
}

// exchangeBy sends requests with these headers and no others: no cookies and no authorization.
func exchangeBy(transport http.RoundTripper) exchanger {
	return func(ctx context.Context, signed signedRequest, timeout time.Duration) (*answer, error) {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, signed.method, signed.url, bytes.NewReader(signed.body))
		if err != nil {
			return nil, err
		}
		request.Header.Set("User-Agent", userAgent)
		for name, value := range signed.headers {
			request.Header.Set(name, value)
		}
		response, err := transport.RoundTrip(request)
		if err != nil {
			return nil, describe(ctx, err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes+1))
		if err != nil {
			return nil, describe(ctx, err)
		}
		if len(body) > maxAnswerBytes {
			return nil, errors.New("the answer is too long")
		}
		return &answer{response.StatusCode, response.Header, body}, nil
	}
}

// describe names the end of the time, which a transport may report in other words.
func describe(ctx context.Context, err error) error {
	if ended := ctx.Err(); ended != nil && !errors.Is(err, ended) {
		return fmt.Errorf("%w: %v", ended, err)
	}
	return err
}
