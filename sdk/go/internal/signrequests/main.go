// Command signrequests prints random signed requests, one JSON object a line, for another library to verify.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/rand"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"auth-service/authservice"
)

const characters = "abcXYZ019-._~!$&'()*+,;=:@|"

var (
	key     = authservice.Key{ID: "svk_k1_billing_01JD2Y8Q4M5N6P7R8S9TAVBWCX", Secret: "svs_this-is-test-data-and-it-opens-no-door-here"}
	created = time.Unix(1_795_201_200, 0)
	origins = []string{"https://auth.example.com", "https://auth.example.com:8443", "http://127.0.0.1:3000"}
	methods = []string{http.MethodGet, http.MethodPut, http.MethodPost, http.MethodDelete}
	bodies  = []string{`{"reason":"left – “for good”"}`, `{"reason":"` + strings.Repeat("x", 200) + `"}`}
)

func main() {
	chance := rand.New(rand.NewSource(9421))
	encoder := json.NewEncoder(os.Stdout)
	for i := 0; i < 500; i++ {
		printed, err := signed(chance)
		if err == nil {
			err = encoder.Encode(printed)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

// signed returns a random request as the other library takes it.
func signed(chance *rand.Rand) (map[string]any, error) {
	var user strings.Builder
	for i := 1 + chance.Intn(40); i > 0; i-- {
		user.WriteByte(characters[chance.Intn(len(characters))])
	}
	target := origins[chance.Intn(3)] + "/api/service/users/" + url.PathEscape(user.String()) + "/access"
	if chance.Float64() < 0.4 {
		target += "?role=" + url.QueryEscape(user.String())
	}
	body := ""
	if chance.Float64() < 0.6 {
		body = bodies[chance.Intn(2)]
	}
	request, err := http.NewRequest(methods[chance.Intn(4)], target, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if chance.Float64() < 0.5 {
		request.Header.Set("If-Match", fmt.Sprintf(`"%d"`, chance.Intn(100)))
	}
	options := authservice.SignOptions{Created: created, Expires: created.Add(9 * time.Second)}
	if _, err := authservice.SignRequest(request, []byte(body), key, options); err != nil {
		return nil, err
	}
	headers := map[string]string{}
	for name := range request.Header {
		headers[strings.ToLower(name)] = request.Header.Get(name)
	}
	return map[string]any{"method": request.Method, "url": request.URL.String(), "headers": headers, "body": body}, nil
}
