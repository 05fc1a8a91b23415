"""ISSUER=… CLIENT_ID=… PORT=3005 python3 examples/login-flask/login-flask.py"""

import os
import secrets
import time
from html import escape
from urllib.parse import urlencode, urljoin

import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, request, session

HOME = f'http://127.0.0.1:{os.environ["PORT"]}'

app = Flask(__name__)
app.config.update(SECRET_KEY=secrets.token_bytes(32), SESSION_COOKIE_SAMESITE='Lax')

# The login. A confidential client has a secret; a public one has PKCE alone.
login = OAuth(app).register(
    'login',
    client_id=os.environ['CLIENT_ID'],
    client_secret=os.environ.get('CLIENT_SECRET'),
    server_metadata_url=f'{os.environ["ISSUER"]}/.well-known/openid-configuration',
    client_kwargs={'scope': 'openid email profile', 'code_challenge_method': 'S256'},
)


@app.post('/login')
def start_login():
    return login.authorize_redirect(f'{HOME}/callback')


@app.get('/callback')
def finish_login():
    tokens = login.authorize_access_token()
    session['id'] = secrets.token_urlsafe()
    sessions[session['id']] = keep(tokens, tokens['userinfo'])
    return redirect('/', 303)


def refresh(old):
    """Asks for new tokens, which the login refuses to somebody who has lost access."""
    tokens = login.fetch_access_token(grant_type='refresh_token', refresh_token=old['refresh_token'])
    return keep({**old, **tokens}, login.parse_id_token(tokens, nonce=None))


@app.post('/logout')
def log_out():
    sessions.pop(session.pop('id', None), None)
    # Cognito's own way to log out, which the login of `npm start` understands too.
    address = urljoin(login.load_server_metadata()['authorization_endpoint'], '/logout')
    return redirect(f'{address}?{urlencode({"client_id": login.client_id, "logout_uri": f"{HOME}/"})}', 303)


# The application.
MAX_AGE_SECONDS = 2
"""So that the example shows a block at once. An application refreshes when its access token expires, after five minutes."""
sessions = {}
"""In memory: a real application keeps its sessions in a store. The tokens are not in the cookie, which its user can read."""


def keep(tokens, user):
    return {'refresh_token': tokens['refresh_token'], 'user': user, 'checked_at': time.monotonic()}


@app.get('/')
def show_user():
    known = sessions.get(session.get('id'))
    if known is None:
        return page('<p>You are not logged in.</p>', LOG_IN)
    if time.monotonic() - known['checked_at'] > MAX_AGE_SECONDS:
        known = sessions[session['id']] = refresh(known)
    facts = {'User ID': known['user']['user_id'], 'Roles': ', '.join(known['user'].get('roles', [])) or 'none'}
    listed = ''.join(f'<dt>{term}</dt><dd>{escape(text)}</dd>' for term, text in facts.items())
    return page(f'<dl>{listed}</dl>', '<form method="post" action="/logout"><button>Log out</button></form>')


@app.errorhandler(OAuthError)
def refuse(error):
    """A refusal ends the session: Cognito refuses a login at the address of the callback, and a refresh with invalid_grant."""
    if request.path == '/':
        if error.error != 'invalid_grant':
            return report_outage(error)
        sessions.pop(session.pop('id'), None)
    return page('<p role="alert">You no longer have access.</p>', LOG_IN), 403


@app.errorhandler(requests.RequestException)
def report_outage(error):
    app.logger.error('The login does not answer: %s', error)
    return page('<p role="alert">The login does not work at the moment. Try again.</p>', LOG_IN), 502


LOG_IN = '<form method="post" action="/login"><button>Log in</button></form>'


def page(*content):
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Wiki</title><h1>Wiki</h1>{"".join(content)}'


@app.after_request
def forbid_caching(response):
    response.headers['Cache-Control'] = 'no-store'
    return response


if __name__ == '__main__':
    app.run('127.0.0.1', int(os.environ['PORT']))
