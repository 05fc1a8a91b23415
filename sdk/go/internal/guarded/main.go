// Command guarded serves one guarded route on PORT: with the argument editor for editors, with open for all users, also in an outage.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"auth-service/authservice"
)

func main() {
	guard, err := newGuard(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	welcome := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		decision, _ := authservice.DecisionOf(r.Context())
		_, _ = fmt.Fprintln(w, "welcome", decision.UserID)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), guard.Handler(welcome)))
}

func newGuard(choice string) (*authservice.Guard, error) {
	client, err := authservice.NewClient(authservice.Options{
		BaseURL: os.Getenv("AUTH_URL"),
		KeyID:   os.Getenv("AUTH_KEY_ID"),
		Secret:  os.Getenv("AUTH_SECRET"),
		Timeout: 2 * time.Second,
		Circuit: authservice.CircuitOptions{Open: 500 * time.Millisecond},
	})
	if err != nil {
		return nil, err
	}
	options := authservice.GuardOptions{
		Source: client,
		UserID: func(r *http.Request) (string, error) { return r.Header.Get("X-User"), nil },
	}
	if choice == "open" {
		options.WhenUnavailable = authservice.AllowWhenUnavailable
	} else {
		options.Roles = []string{"editor"}
	}
	return authservice.NewGuard(options)
}
