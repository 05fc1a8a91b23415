import type { LoginView } from '../contract/login.ts';
import { discoveryUrlOf } from '../contract/login-words.ts';

/** What a sample is filled in with: a login whose client exists. */
export interface SampleLogin extends Pick<LoginView, 'clientType' | 'redirectUris'> {
  readonly clientId: string;
  readonly issuer: string;
}

/** Code that lets people log in to an application. */
export interface LoginSample {
  readonly id: string;
  readonly label: string;
  readonly code: string;
}

/** The code for each framework. A confidential client takes its secret from the environment variable `CLIENT_SECRET`. */
export function loginSamples(login: SampleLogin): readonly LoginSample[] {
  const given = givenTo(login);
  return [
    { id: 'express', label: 'Express', code: express(given) },
    { id: 'next', label: 'Next.js', code: next(given) },
    { id: 'flask', label: 'Python', code: flask(given) },
    { id: 'go', label: 'Go', code: go(given) },
    { id: 'grafana', label: 'Grafana', code: grafana(given) },
  ];
}

interface Given {
  readonly clientId: string;
  readonly issuer: string;
  readonly isPublic: boolean;
  /** A redirect address of the web, its origin and its path. */
  readonly uri: string;
  readonly origin: string;
  readonly path: string;
}

function givenTo({ clientId, issuer, clientType, redirectUris }: SampleLogin): Given {
  const uri = redirectUris.find((each) => each.startsWith('http')) ?? 'https://app.example.com/callback';
  const { origin, pathname: path } = new URL(uri);
  return { clientId, issuer, isPublic: clientType === 'public', uri, origin, path };
}

/** A text as JavaScript, Go and Python write it. */
const quoted = (text: string) => JSON.stringify(text);

function express({ clientId, issuer, isPublic, uri, path }: Given): string {
  const insecure = issuer.startsWith('http:') ? ', { execute: [oidc.allowInsecureRequests] }' : '';
  const proof = isPublic
    ? `undefined, oidc.None()${insecure}`
    : `process.env.CLIENT_SECRET${insecure && `, undefined${insecure}`}`;
  return `// npm install express express-session openid-client
import express from 'express';
import session from 'express-session';
import * as oidc from 'openid-client';

const redirectUri = ${quoted(uri)};
const issuer = new URL(${quoted(issuer)});
const config = await oidc.discovery(issuer, ${quoted(clientId)}, ${proof});
const app = express();
app.use(session({ secret: process.env.SESSION_SECRET, resave: false, saveUninitialized: false }));

app.get('/login', async (request, response) => {
  const [verifier, state] = [oidc.randomPKCECodeVerifier(), oidc.randomState()];
  request.session.login = { pkceCodeVerifier: verifier, expectedState: state };
  const code_challenge = await oidc.calculatePKCECodeChallenge(verifier);
  const parameters = { redirect_uri: redirectUri, scope: 'openid email', state, code_challenge, code_challenge_method: 'S256' };
  response.redirect(oidc.buildAuthorizationUrl(config, parameters).href);
});

app.get(${quoted(path)}, async (request, response) => {
  if (!request.session.login) return response.redirect('/login');
  const tokens = await oidc.authorizationCodeGrant(config, new URL(request.originalUrl, redirectUri), request.session.login);
  const { user_id, roles } = tokens.claims();
  request.session.regenerate(() => {
    request.session.user = { user_id, roles };
    response.redirect('/');
  });
});

app.listen(process.env.PORT);
`;
}

function next({ clientId, issuer, isPublic, origin }: Given): string {
  const proof = isPublic ? "client: { token_endpoint_auth_method: 'none' }" : 'clientSecret: process.env.CLIENT_SECRET';
  return `// auth.ts. Its redirect address is ${origin}/api/auth/callback/login.
import NextAuth from 'next-auth';

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: 'login',
      name: 'Login',
      type: 'oidc',
      issuer: ${quoted(issuer)},
      clientId: ${quoted(clientId)},
      ${proof},
      checks: ['pkce', 'state'],
    },
  ],
  callbacks: {
    jwt: ({ token, profile }) => (profile ? { ...token, userId: profile.user_id, roles: profile.roles } : token),
    session: ({ session, token }) => ({ ...session, userId: token.userId, roles: token.roles }),
  },
});

// app/api/auth/[...nextauth]/route.ts
// import { handlers } from '@/auth';
// export const { GET, POST } = handlers;
`;
}

function flask({ clientId, issuer, isPublic, uri, path }: Given): string {
  const secret = isPublic ? '' : '    client_secret=os.environ["CLIENT_SECRET"],\n';
  return `# pip install authlib flask requests
import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

app = Flask(__name__)
app.secret_key = os.environ["SESSION_SECRET"]
login = OAuth(app).register(
    "login",
    server_metadata_url=${quoted(discoveryUrlOf(issuer))},
    client_id=${quoted(clientId)},
${secret}    client_kwargs={"scope": "openid email", "code_challenge_method": "S256"},
)


@app.get("/login")
def start():
    return login.authorize_redirect(${quoted(uri)})


@app.get(${quoted(path)})
def callback():
    claims = login.authorize_access_token()["userinfo"]
    session["user"] = {"user_id": claims["user_id"], "roles": claims["roles"]}
    return redirect("/")
`;
}

function go({ clientId, issuer, isPublic, uri, path }: Given): string {
  const fields: readonly (readonly [name: string, value: string])[] = [
    ['ClientID', quoted(clientId)],
    ...(isPublic ? [] : [['ClientSecret', 'os.Getenv("CLIENT_SECRET")'] as const]),
    ['RedirectURL', quoted(uri)],
    ['Endpoint', 'provider.Endpoint()'],
    ['Scopes', '[]string{oidc.ScopeOpenID, "email"}'],
  ];
  const width = Math.max(...fields.map(([name]) => name.length)) + 1;
  const settings = fields.map(([name, value]) => `\t\t${`${name}:`.padEnd(width)} ${value},\n`).join('');
  const style = isPublic ? '\tconfig.Endpoint.AuthStyle = oauth2.AuthStyleInParams\n' : '';
  return `package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	provider, err := oidc.NewProvider(context.Background(), ${quoted(issuer)})
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
${settings}	}
${style}	idTokens := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	http.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		// Only this browser has the verifier, from which the state is derived.
		verifier := oauth2.GenerateVerifier()
		http.SetCookie(w, &http.Cookie{Name: "login", Value: verifier, Path: "/", MaxAge: 600, HttpOnly: true, SameSite: http.SameSiteLaxMode})
		state := oauth2.S256ChallengeFromVerifier(verifier)
		http.Redirect(w, r, config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)), http.StatusFound)
	})

	http.HandleFunc(${quoted(path)}, func(w http.ResponseWriter, r *http.Request) {
		cookie, err := r.Cookie("login")
		if err != nil || r.FormValue("state") != oauth2.S256ChallengeFromVerifier(cookie.Value) {
			http.Redirect(w, r, "/login", http.StatusFound)
			return
		}
		tokens, err := config.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(cookie.Value))
		if err != nil {
			http.Error(w, "The login failed.", http.StatusForbidden)
			return
		}
		raw, _ := tokens.Extra("id_token").(string)
		idToken, err := idTokens.Verify(r.Context(), raw)
		var claims struct {
			UserID string   \`json:"user_id"\`
			Roles  []string \`json:"roles"\`
		}
		if err != nil || idToken.Claims(&claims) != nil {
			http.Error(w, "The login failed.", http.StatusForbidden)
			return
		}
		log.Println("logged in:", claims.UserID, claims.Roles)
		http.Redirect(w, r, "/", http.StatusFound)
	})
	log.Fatal(http.ListenAndServe(":"+os.Getenv("PORT"), nil))
}
`;
}

function grafana({ clientId, issuer, isPublic, origin }: Given): string {
  const proof = isPublic ? 'auth_style = InParams' : 'client_secret = $__env{CLIENT_SECRET}';
  return `; grafana.ini. Its redirect address is ${origin}/login/generic_oauth.
; Take the three URLs from ${discoveryUrlOf(issuer)}:
; authorization_endpoint, token_endpoint and userinfo_endpoint.
[auth.generic_oauth]
enabled = true
name = Login
client_id = ${clientId}
${proof}
use_pkce = true
scopes = openid email profile
auth_url = $__env{LOGIN_AUTHORIZATION_ENDPOINT}
token_url = $__env{LOGIN_TOKEN_ENDPOINT}
api_url = $__env{LOGIN_USERINFO_ENDPOINT}
login_attribute_path = user_id
role_attribute_path = contains(roles[*], 'admin') && 'Admin' || contains(roles[*], 'editor') && 'Editor' || 'Viewer'
`;
}
