// ISSUER=… CLIENT_ID=… PORT=3005 go run login-go.go
package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

var (
	home     = "http://127.0.0.1:" + os.Getenv("PORT")
	login    oauth2.Config
	verifier *oidc.IDTokenVerifier
)

// The login. A confidential client has a secret; a public one has PKCE alone.
func discover(ctx context.Context) error {
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	if err != nil {
		return err
	}
	endpoint := provider.Endpoint()
	endpoint.AuthStyle = oauth2.AuthStyleInParams
	login = oauth2.Config{ClientID: os.Getenv("CLIENT_ID"), ClientSecret: os.Getenv("CLIENT_SECRET"), Endpoint: endpoint,
		RedirectURL: home + "/callback", Scopes: []string{"openid", "email", "profile"}}
	verifier = provider.Verifier(&oidc.Config{ClientID: login.ClientID})
	return nil
}

func startLogin(w http.ResponseWriter, r *http.Request) {
	id, s := newSession(w)
	s.state, s.pkce = random(), random()
	sessions.Store(id, s)
	hash := sha256.Sum256([]byte(s.pkce))
	http.Redirect(w, r, login.AuthCodeURL(s.state, oauth2.SetAuthURLParam("code_challenge_method", "S256"),
		oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(hash[:]))), http.StatusSeeOther)
}

func finishLogin(w http.ResponseWriter, r *http.Request) {
	s, found := findSession(r)
	query := r.URL.Query()
	if !found || s.state == "" || query.Get("state") != s.state {
		sendPage(w, http.StatusBadRequest, `<p role="alert">This login did not begin here.</p>`, logInButton)
	} else if query.Get("error") != "" {
		refuse(w, r)
	} else if tokens, err := login.Exchange(r.Context(), query.Get("code"), oauth2.SetAuthURLParam("code_verifier", s.pkce)); err != nil {
		sendError(w, r, err)
	} else if err := keep(r, session{}, tokens); err != nil {
		sendError(w, r, err)
	} else {
		http.Redirect(w, r, "/", http.StatusSeeOther)
	}
}

// Asks for new tokens, which the login refuses to somebody who has lost access.
func refresh(r *http.Request, s session) error {
	tokens, err := login.TokenSource(r.Context(), &oauth2.Token{RefreshToken: s.refreshToken}).Token()
	if err != nil {
		return err
	}
	return keep(r, s, tokens)
}

func logOut(w http.ResponseWriter, r *http.Request) {
	endSession(r)
	// Cognito's own way to log out, which the login of `npm start` understands too.
	page, _ := url.Parse(login.Endpoint.AuthURL)
	page.Path, page.RawQuery = "/logout", url.Values{"client_id": {login.ClientID}, "logout_uri": {home + "/"}}.Encode()
	http.Redirect(w, r, page.String(), http.StatusSeeOther)
}

// The application.
type session struct {
	state, pkce, refreshToken string
	user                      user
	checkedAt                 time.Time
}

type user struct {
	ID    string   `json:"user_id"`
	Roles []string `json:"roles"`
}

// So that the example shows a block at once. An application refreshes when its access token expires, after five minutes.
const maxAge = 2 * time.Second

// In memory: a real application keeps its sessions in a store.
var sessions sync.Map

func keep(r *http.Request, s session, tokens *oauth2.Token) error {
	raw, _ := tokens.Extra("id_token").(string)
	idToken, err := verifier.Verify(r.Context(), raw)
	if err != nil {
		return err
	}
	next := session{refreshToken: tokens.RefreshToken, checkedAt: time.Now()}
	if err := idToken.Claims(&next.user); err != nil {
		return err
	}
	sessions.Store(sessionID(r), next)
	return nil
}

func showUser(w http.ResponseWriter, r *http.Request) {
	s, _ := findSession(r)
	if s.user.ID == "" {
		sendPage(w, http.StatusOK, "<p>You are not logged in.</p>", logInButton)
		return
	}
	if time.Since(s.checkedAt) > maxAge {
		if err := refresh(r, s); err != nil {
			sendError(w, r, err)
			return
		}
		s, _ = findSession(r)
	}
	roles := strings.Join(s.user.Roles, ", ")
	if roles == "" {
		roles = "none"
	}
	facts := fmt.Sprintf("<dl><dt>User ID</dt><dd>%s</dd><dt>Roles</dt><dd>%s</dd></dl>", html.EscapeString(s.user.ID), html.EscapeString(roles))
	sendPage(w, http.StatusOK, facts, `<form method="post" action="/logout"><button>Log out</button></form>`)
}

// A refusal ends the session. Anything else is an outage, after which the user goes on.
func sendError(w http.ResponseWriter, r *http.Request, err error) {
	var answer *oauth2.RetrieveError
	var problem struct{ Error string }
	if errors.As(err, &answer) && json.Unmarshal(answer.Body, &problem) == nil && problem.Error == "invalid_grant" {
		refuse(w, r)
		return
	}
	log.Print("The login does not answer: ", err)
	sendPage(w, http.StatusBadGateway, `<p role="alert">The login does not work at the moment. Try again.</p>`, logInButton)
}

func refuse(w http.ResponseWriter, r *http.Request) {
	endSession(r)
	sendPage(w, http.StatusForbidden, `<p role="alert">You no longer have access.</p>`, logInButton)
}

func newSession(w http.ResponseWriter) (string, session) {
	id := random()
	http.SetCookie(w, &http.Cookie{Name: "session", Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	return id, session{}
}

func findSession(r *http.Request) (session, bool) {
	found, ok := sessions.Load(sessionID(r))
	s, _ := found.(session)
	return s, ok
}

func endSession(r *http.Request) {
	sessions.Delete(sessionID(r))
}

func sessionID(r *http.Request) string {
	cookie, err := r.Cookie("session")
	if err != nil {
		return ""
	}
	return cookie.Value
}

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

const logInButton = `<form method="post" action="/login"><button>Log in</button></form>`

func sendPage(w http.ResponseWriter, status int, content ...string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Wiki</title><h1>Wiki</h1>%s`, strings.Join(content, ""))
}

func only(method string, handler http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method {
			http.Error(w, "Method not allowed", http.StatusMethodNotAllowed)
			return
		}
		handler(w, r)
	}
}

func main() {
	if err := discover(context.Background()); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/", only("GET", showUser))
	http.HandleFunc("/login", only("POST", startLogin))
	http.HandleFunc("/callback", only("GET", finishLogin))
	http.HandleFunc("/logout", only("POST", logOut))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
