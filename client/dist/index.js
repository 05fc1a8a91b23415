// client/client-error.ts
var AuthServiceError = class extends Error {
    name = 'AuthServiceError';
    constructor(failure) {
      super(`${failure.code}: ${failure.detail}`), Object.assign(this, failure);
    }
  },
  InvalidRequestError = class extends AuthServiceError {},
  SignatureError = class extends AuthServiceError {},
  ForbiddenError = class extends AuthServiceError {},
  NotFoundError = class extends AuthServiceError {},
  VersionMismatchError = class extends AuthServiceError {},
  UnavailableError = class extends AuthServiceError {},
  UnexpectedAnswerError = class extends AuthServiceError {},
  errorClasses = {
    400: InvalidRequestError,
    401: SignatureError,
    403: ForbiddenError,
    404: NotFoundError,
    409: UnavailableError,
    412: VersionMismatchError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    429: UnavailableError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
  };

// client/service-contract.ts
var userIdPattern = /^(?!\.{1,2}$)[A-Za-z0-9\-._~!$&'()*+,;=:@|]{1,128}$/,
  secretPattern = /^svs_[\w-]{43}$/;

// client/client-key.ts
function importKey({ keyId, secret }) {
  if (!/^svk_[\w-]+$/.test(keyId)) throw new TypeError('keyId must be svk_...');
  return { keyId, secret: typeof secret == 'string' ? importSecret(secret) : secret };
}
function importSecret(secret) {
  if (!secretPattern.test(secret)) throw new TypeError('secret must be svs_...');
  return crypto.subtle.importKey('raw', encodeText(secret), { name: 'HMAC', hash: 'SHA-256' }, !1, ['sign']);
}
function encodeText(text) {
  return new TextEncoder().encode(text);
}

// shared/signature/base.ts
function serializeSignatureBase(components, params, read) {
  let lines = '';
  for (const name of components)
    lines += `"${name}": ${read(name)}
`;
  return `${lines}"@signature-params": ${params}`;
}
function createSigningInput(
  { method, url },
  { headers, digest, created, nonce, keyId, cover = [] },
  read = (values, name) => values[name],
) {
  const { host, pathname, search } = new URL(url),
    required = {
      '@method': method,
      '@authority': host,
      '@path': pathname,
      ...(search && { '@query': search }),
      ...(digest && { 'content-digest': digest }),
    },
    components = [
      .../* @__PURE__ */ new Set([
        ...Object.keys(required),
        ...['if-match'].filter((name) => name in headers),
        ...cover.map((name) => name.toLowerCase()),
      ]),
    ],
    params = `(${components.map(quote).join(' ')});created=${created};nonce=${quote(nonce)};keyid=${quote(keyId)}`,
    values = { ...headers, ...required };
  return { params, base: serializeSignatureBase(components, params, (name) => read(values, name)) };
}
function quote(text) {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
function signedHeaders(digest, params, mac, label = 'sig1') {
  return {
    ...(digest && { 'content-digest': digest }),
    'signature-input': `${label}=${params}`,
    signature: `${label}=:${mac}:`,
  };
}
function formatContentDigest(sha256Base64) {
  return `sha-256=:${sha256Base64}:`;
}
function compareBases(signed, expected) {
  const ours = signed.split(`
`),
    theirs = expected.split(`
`),
    line = theirs.findIndex((text, index) => text !== ours[index]);
  return { signed: ours[line], expected: theirs[line] };
}
function describeDifference({ signed, expected }) {
  return signed === expected ? 'same signature base: wrong secret' : `signed ${signed}, the server has ${expected}`;
}

// client/read-answer.ts
async function readAnswer(response, base, isExpected) {
  const { status, headers } = response,
    problem = parse(await response.text());
  if (status === 200 && isExpected(problem)) return problem;
  const { code = codeWithout(status), detail = `HTTP ${status}`, signatureBase } = problem,
    difference = signatureBase ? `; ${describeDifference(compareBases(base, signatureBase))}` : '';
  return new ((code && errorClasses[status]) || UnexpectedAnswerError)({
    code: code || 'unexpected_answer',
    detail: detail + difference,
    status,
    requestId: problem.requestId ?? headers.get('apigw-requestid'),
    retryAfterSeconds: readRetryAfter(headers.get('retry-after')),
    problem,
  });
}
function codeWithout(status) {
  return status === 429 ? 'too_many_requests' : errorClasses[status] === UnavailableError ? 'unavailable' : void 0;
}
function readRetryAfter(header) {
  const seconds = Number(header);
  return Math.max(0, seconds >= 0 ? seconds : (Date.parse(header) - Date.now()) / 1e3) || 0;
}
function parse(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

// client/read-base-url.ts
function readBaseUrl(baseUrl, allowHttp) {
  const [, origin = ''] = /^(https?:\/\/[^/@]+)\/(api\/service\/?)?$/.exec(new URL(baseUrl).href) ?? [],
    isProtected = /^https:|\/\/(localhost|127\.0\.0\.1|\[::1])(:\d+)?$/.test(origin);
  if (origin && (isProtected || allowHttp)) return origin;
  throw new TypeError('baseUrl must be https://host');
}

// client/sign-request.ts
async function signRequest(request, key, options) {
  return (await sign(request, importKey(key), options)).signed;
}
async function sign(
  request,
  { keyId, secret },
  { created = Date.now() / 1e3, nonce = crypto.randomUUID(), cover } = {},
) {
  const { subtle } = crypto,
    body = await request.clone().arrayBuffer(),
    digest = body.byteLength ? formatContentDigest(base64(await subtle.digest('SHA-256', body))) : void 0,
    headers = Object.fromEntries(request.headers),
    { params, base } = createSigningInput(request, {
      headers,
      digest,
      created: Math.floor(created),
      nonce,
      keyId,
      cover,
    }),
    mac = await subtle.sign('HMAC', await secret, encodeText(base)),
    allHeaders = { ...headers, ...signedHeaders(digest, params, base64(mac)) };
  return { base, signed: new Request(request, { headers: allHeaders, ...(digest && { body }) }) };
}
function base64(bytes) {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

// client/time-limit.ts
async function withTimeLimit(milliseconds, signal, run) {
  signal?.throwIfAborted();
  const limit = new AbortController(),
    end = () => limit.abort('time-out'),
    timer = setTimeout(end, milliseconds);
  signal?.addEventListener('abort', end, { signal: limit.signal });
  try {
    return await run(limit.signal);
  } finally {
    clearTimeout(timer), end();
  }
}
function pause(milliseconds, signal) {
  return withTimeLimit(
    milliseconds,
    signal,
    (limited) =>
      new Promise((resolve) => {
        limited.onabort = resolve;
      }),
  );
}

// client/create-send.ts
var callLimitMilliseconds = 3e5;
function createSend(options) {
  let { timeoutSeconds = 10, maxAttempts = 4, fetch: send = (request) => fetch(request) } = options,
    origin = readBaseUrl(options.baseUrl, options.allowHttp),
    key = importKey(options),
    clockOffset = 0;
  async function attempt({ method, target, body, ifVersion, signal }, isExpected, stamp) {
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(ifVersion !== void 0 && { 'if-match': `"${ifVersion}"` }),
    };
    try {
      return await withTimeLimit(timeoutSeconds * 1e3, signal, async (limited) => {
        const request = new Request(`${origin}/api/service/${target}`, {
            method,
            headers,
            body: JSON.stringify(body, keepInvalid),
            // A redirect becomes an unexpected answer. "error" would do too, but Cloudflare does not support it.
            redirect: 'manual',
            signal: limited,
          }),
          { signed, base } = await sign(request, key, stamp);
        return readAnswer(await send(signed), base, isExpected);
      });
    } catch (cause) {
      return (
        signal?.throwIfAborted(),
        new UnavailableError({ code: 'no_answer', detail: `${cause} ${cause.cause ?? ''}`, cause })
      );
    }
  }
  return async (call, isExpected) => {
    let nonce = crypto.randomUUID(),
      end = Date.now() + callLimitMilliseconds,
      time = 0,
      clockIsSet,
      answer;
    for (let attempts = 1; Date.now() <= end; attempts++) {
      if (
        ((time = Math.max(time + 1e3, Date.now())),
        (answer = await attempt(call, isExpected, { nonce, created: (time + clockOffset) / 1e3 })),
        !(answer instanceof AuthServiceError))
      )
        return answer;
      answer.attempts = attempts;
      const { retryAfterSeconds = 0, problem } = answer,
        serverTime = Date.parse(problem?.serverTime);
      if (serverTime && !clockIsSet) {
        (clockOffset = serverTime - Date.now()), (clockIsSet = !0);
        continue;
      }
      if (!(answer instanceof UnavailableError && retryAfterSeconds <= timeoutSeconds && attempts < maxAttempts)) break;
      await pause(retryAfterSeconds * 1e3 + Math.random() * Math.min(5e3, 100 * 2 ** attempts), call.signal);
    }
    throw answer;
  };
}
function keepInvalid(key, value) {
  return (value === null && this[key]) || typeof value == 'number' ? `${this[key]}` : value;
}

// client/auth-service-client.ts
var AuthServiceClient = class {
  #keyId;
  #send;
  /** Throws a TypeError for invalid options. */
  constructor(options) {
    (this.#keyId = options.keyId), (this.#send = createSend(options));
  }
  /**
   * Whether the user has access to the application now. False for users that the service does not know; throws whenever
   * there is no valid answer.
   *
   * @example
   * ```ts
   * declare const client: import('auth-service/client').AuthServiceClient;
   *
   * const mayEnter = await client.isAllowed('auth0|123', { signal: AbortSignal.timeout(2000) });
   * ```
   */
  async isAllowed(userId, options) {
    return (
      (
        await this.getAccess(userId, options).catch((error) => {
          if (error.code !== 'user_not_found') throw error;
        })
      )?.effectiveStatus === 'enabled'
    );
  }
  /**
   * Reads the user's access to the application. Obey `effectiveStatus`: roles are listed also while it is `disabled`.
   *
   * @example
   * ```ts
   * declare const client: import('auth-service/client').AuthServiceClient;
   *
   * const { effectiveStatus, roles } = await client.getAccess('ada');
   * const mayEdit = effectiveStatus === 'enabled' && roles.some(({ name }) => name === 'editor');
   * ```
   */
  getAccess(userId, options) {
    return this.#ask('GET', 'users/*/access', userId, options);
  }
  /**
   * Enables or disables the user's access to the application.
   *
   * @example
   * ```ts
   * declare const client: import('auth-service/client').AuthServiceClient;
   *
   * const until = new Date(Date.now() + 2 * 3600 * 1000);
   * await client.setAccess('ada', { status: 'disabled', reason: 'card stolen', until });
   *
   * const { version } = await client.getAccess('ada');
   * await client.setAccess('ada', { status: 'enabled' }, { ifVersion: version });
   * ```
   */
  setAccess(userId, setting, options) {
    return this.#ask('PUT', 'users/*/access', userId, options, setting);
  }
  /**
   * Assigns a role of the application to the user.
   *
   * @example
   * ```ts
   * declare const client: import('auth-service/client').AuthServiceClient;
   *
   * await client.assignRole('ada', 'viewer');
   * await client.assignRole('ada', { role: 'editor', expiresAt: '2027-01-31T12:00:00Z' });
   * ```
   */
  assignRole(userId, grant, options) {
    return this.#ask('POST', 'roles/*/assign', userId, options, typeof grant == 'string' ? { role: grant } : grant);
  }
  /**
   * Revokes a role of the application from the user.
   *
   * @example
   * ```ts
   * declare const client: import('auth-service/client').AuthServiceClient;
   *
   * const { changed } = await client.revokeRole('ada', 'editor');
   * ```
   */
  async revokeRole(userId, role, options) {
    return (
      requireIdentifier(role, 'query:role'),
      this.#ask('DELETE', `users/*/revoke?role=${encodeURIComponent(role)}`, userId, options)
    );
  }
  /**
   * Reads the changes of the application in their order, about 15 seconds after they happened, page by page. Store the
   * `cursor` of a page once it is processed; after an interruption an unprocessed page comes again.
   *
   * @example
   * ```ts
   * declare const client: import('auth-service/client').AuthServiceClient;
   * declare const store: { load(): Promise<string | null>; save(cursor: string): Promise<void> };
   *
   * for await (const { items, cursor } of client.changes({ after: await store.load(), pollSeconds: 15 })) {
   *   for (const { userId } of items) {
   *     if (userId && !(await client.isAllowed(userId))) console.log(`End the sessions of ${userId}`);
   *   }
   *   await store.save(cursor);
   * }
   * ```
   */
  async *changes({ after, pollSeconds, signal } = {}) {
    for (let cursor = after; ; ) {
      const from = cursor ? `&after=${encodeURIComponent(cursor)}` : '',
        page = await this.#send(
          { method: 'GET', target: `changes?limit=${100}${from}`, signal },
          ({ items, cursor: next }) => Array.isArray(items) && (!items[0] || (next && next !== cursor)),
        );
      if (((cursor = page.cursor ?? cursor), page.items[0])) yield page;
      else if (pollSeconds) await pause(pollSeconds * 1e3, signal);
      else return;
    }
  }
  async #ask(method, path, userId, options, body) {
    return (
      requireIdentifier(userId, 'path:userId'),
      this.#send(
        { ...options, method, target: path.replace('*', encodeURIComponent(userId)), body },
        // A key id names its application. An answer without a status must not be interpreted.
        ({ userId: id, appId, effectiveStatus, roles }) =>
          id === userId &&
          appId === this.#keyId.split('_')[2] &&
          ['enabled', 'disabled'].includes(effectiveStatus) &&
          Array.isArray(roles),
      )
    );
  }
};
function requireIdentifier(value, pointer) {
  if (!(typeof value == 'string' && userIdPattern.test(value)))
    throw new InvalidRequestError({ code: 'invalid_request', detail: `${pointer} must match ${userIdPattern}` });
}

export {
  AuthServiceClient,
  AuthServiceError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  SignatureError,
  signRequest,
  UnavailableError,
  UnexpectedAnswerError,
  VersionMismatchError,
};
