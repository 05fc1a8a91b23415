/** What Okta sends, by its documentation, with the members that differ between logins. */
export function oktaPayload({
  client = '0oa1gjh63g214q0Hq0g4',
  user = '00uq8tMo3zV0OfJON0g3',
  login = 'ada@example.com',
  grant = 'authorization_code',
  tokens = ['identity', 'access'],
}: OktaLogin = {}) {
  const issuer = 'https://example.okta.com/oauth2/default';
  const identity = {
    claims: {
      sub: user,
      name: 'Ada Lovelace',
      email: login,
      ver: 1,
      iss: issuer,
      aud: client,
      preferred_username: login,
    },
    token: { lifetime: { expiration: 3600 } },
  };
  const access = {
    claims: { ver: 1, iss: issuer, aud: 'api://default', cid: client, uid: user, sub: login, employeeNumber: 'E1' },
    token: { lifetime: { expiration: 3600 } },
    scopes: { openid: { id: 'scpq7bW1cp6dcvrz80g3', action: 'GRANT' } },
  };
  const profile = { login, firstName: 'Ada', lastName: 'Lovelace', locale: 'en', timeZone: 'Europe/London' };
  return {
    source: `${issuer}/v1/token`,
    eventId: '3OWo4oo-QQ-rBWfRyTmQYw',
    eventTime: '2026-11-20T19:14:11.000Z',
    eventTypeVersion: '1.0',
    cloudEventVersion: '0.1',
    contentType: 'application/json',
    eventType: 'com.okta.oauth2.tokens.transform',
    data: {
      context: {
        request: { id: 'reqv66CbCaCStGEFc8AdfS0ng', method: 'POST', url: { value: `${issuer}/v1/token` } },
        protocol: {
          type: 'OAUTH2.0',
          request: { scope: 'openid', grant_type: grant },
          issuer: { uri: issuer },
          client: { id: client, name: 'Wiki', type: 'CONFIDENTIAL' },
        },
        ...(user !== null && { session: { id: '102Qoe7t5PcRnSxr8j3I8I6pA', userId: user, login, status: 'ACTIVE' } }),
        ...(user !== null && { user: { id: user, passwordChanged: '2026-09-11T23:19:12.000Z', profile } }),
        policy: { id: '00pq8lGaLlI8APuqY0g3', rule: { id: '0prq8mLKuKAmavOvq0g3' } },
      },
      ...(tokens.includes('identity') && { identity }),
      ...(tokens.includes('access') && { access }),
    },
  };
}

interface OktaLogin {
  readonly client?: string;
  /** `null` if no user logs in. */
  readonly user?: string | null;
  readonly login?: string;
  readonly grant?: string;
  readonly tokens?: readonly ('identity' | 'access')[];
}

/** What Hydra sends, by its documentation, with the members that differ between logins. */
export function hydraPayload({
  client = 'app-client',
  subject = 'ada',
  grants = ['authorization_code'],
  extra = {},
  ext = {},
}: HydraLogin = {}) {
  const standard = {
    jti: '',
    iss: 'https://hydra.example.com/',
    sub: subject,
    aud: [client],
    nonce: '',
    acr: '1',
    amr: null,
  };
  return {
    session: {
      id_token: {
        id_token_claims: { ...standard, at_hash: '', c_hash: '', ext },
        headers: { extra: { kid: '3f6f2a06-5c5a-4a8a-8f0e-d6f5e5c5a5b5' } },
        username: '',
        subject,
      },
      extra,
      client_id: client,
      consent_challenge: '',
      exclude_not_before_claim: false,
      allowed_top_level_claims: [],
    },
    request: {
      client_id: client,
      granted_scopes: ['offline', 'openid'],
      granted_audience: [],
      grant_types: grants,
      payload: {},
    },
  };
}

interface HydraLogin {
  readonly client?: string;
  readonly subject?: string;
  readonly grants?: readonly string[];
  /** The claims that the access token has in addition. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** The claims that the ID token has in addition. */
  readonly ext?: Readonly<Record<string, unknown>>;
}
