import { expect } from '@jest/globals';
import { aKey, versioned } from '#test/support/view-shapes.ts';

type Members = Readonly<Record<string, unknown>>;

/** A connection as the API shows it, without keys. */
export function aConnection(members: Members): Members {
  const connection = { connectionId: expect.any(String), kind: 'evaluate', name: 'Gateway', applications: ['billing'] };
  const identity = {
    issuer: null,
    audience: null,
    trustsUserHeader: false,
    clients: null,
    userIdClaim: null,
    userIdAttribute: null,
    takeover: null,
  };
  return { ...connection, ...identity, groupRoles: [], keys: [], ...versioned, ...members };
}

/** A key of a connection without its `token`, which only issuing and rotating return. */
export function aConnectionKey(members: Members): Members {
  const keyId = expect.stringMatching(/^svc_c1_[a-z][a-z0-9-]+_[0-9A-HJKMNP-TV-Z]{26}$/);
  return { ...aKey({}), keyId, scopes: ['access:read', 'roles:read'], ...members };
}

/** The token of a key, which only issuing and rotating return. */
export const aToken = expect.stringMatching(/^svt_c1_[a-z][a-z0-9-]+_[0-9A-HJKMNP-TV-Z]{26}_[A-Za-z0-9_-]{43}$/);
