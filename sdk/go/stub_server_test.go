package authservice

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

const stubAccess = `{"userId":"ada","appId":"billing","status":"enabled","explicit":false,"until":null,"reason":null,` +
	`"userStatus":"active","effectiveStatus":"enabled","decidedBy":"default","roles":[],"version":0,"updatedAt":null}`

var noncePattern = regexp.MustCompile(`;nonce="([^"]+)"`)

// A reaction answers one request on its connection.
type reaction func(connection net.Conn, nonce string)

// respond sends a whole answer with the nonce of the request; with a longer length it is cut.
func respond(status int, body string, length int, headers ...string) reaction {
	return func(connection net.Conn, nonce string) {
		head := fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Length: %d\r\nContent-Type: application/json\r\nRequest-Nonce: %s\r\n", status, length, nonce)
		fmt.Fprintf(connection, "%sConnection: close\r\n%s\r\n%s", head, strings.Join(append(headers, ""), "\r\n"), body)
	}
}

func answerWith(body string) reaction {
	return respond(http.StatusOK, body, len(body))
}

// drip sends a header that never ends, byte by byte.
func drip(connection net.Conn, _ string) {
	fmt.Fprint(connection, "HTTP/1.1 200 OK\r\nX: ")
	for {
		if _, err := fmt.Fprint(connection, "x"); err != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// dripBody sends a body that never ends, byte by byte.
func dripBody(connection net.Conn, nonce string) {
	fmt.Fprintf(connection, "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\nRequest-Nonce: %s\r\n\r\n", nonce)
	for {
		if _, err := fmt.Fprint(connection, "x"); err != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// hang sends nothing until the client closes the connection.
func hang(connection net.Conn, _ string) {
	_, _ = io.Copy(io.Discard, connection)
}

// drop closes the connection.
func drop(net.Conn, string) {}

// seenRequest is a request as it was received.
type seenRequest struct {
	*http.Request
	body string
}

// stubServer misbehaves on demand. It serves one request for each connection.
type stubServer struct {
	url string

	mu   sync.Mutex
	seen []seenRequest
	// reactions are those to the next requests, in turn; the last one repeats.
	reactions []reaction
}

func startStub(t *testing.T, reactions ...reaction) *stubServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &stubServer{url: "http://" + listener.Addr().String(), reactions: reactions}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go server.serve(connection)
		}
	}()
	return server
}

func (s *stubServer) serve(connection net.Conn) {
	defer connection.Close()
	request, err := http.ReadRequest(bufio.NewReader(connection))
	if err != nil {
		return
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	s.mu.Lock()
	s.seen = append(s.seen, seenRequest{request, string(body)})
	next := s.reactions[0]
	if len(s.reactions) > 1 {
		s.reactions = s.reactions[1:]
	}
	s.mu.Unlock()
	nonce := ""
	if found := noncePattern.FindStringSubmatch(request.Header.Get("Signature-Input")); found != nil {
		nonce = found[1]
	}
	next(connection, nonce)
}

func (s *stubServer) requests() []seenRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]seenRequest{}, s.seen...)
}

// client returns a client of the server.
func (s *stubServer) client(t *testing.T, options Options) *Client {
	t.Helper()
	options.BaseURL = s.url
	if options.Key == nil {
		options.KeyID, options.Secret = kitKey.ID, kitKey.Secret
	}
	client, err := NewClient(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	return client
}
