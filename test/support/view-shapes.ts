import { expect } from '@jest/globals';
import { accessFields } from '#shared/contract/access-fields.ts';
import { keyFields } from '#shared/contract/api-key-fields.ts';
import { optionalApplicationFields } from '#shared/contract/application-fields.ts';
import { unsetFields } from '#shared/contract/field-forms.ts';
import { roleFields } from '#shared/contract/role-fields.ts';
import { userFields } from '#shared/contract/user-fields.ts';

/** Matches a timestamp in the service's format. */
export const aTimestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Matches the link of a Change to the previous one. */
export const anIntegrity = {
  root: 'h1',
  previous: expect.stringMatching(/^[\w-]{22}$/),
  salt: expect.stringMatching(/^[\w-]{22}$/),
  mac: expect.stringMatching(/^[\w-]{22}$/),
};

type Members = Readonly<Record<string, unknown>>;

/** The response to a write for a user, changed and unchanged. */
export const recorded = { changed: true, changeId: expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/) };
export const unrecorded = { changed: false, changeId: null };

/** An application as the API shows it, with exactly its members. */
export function anApplication(members: Members): Members {
  return {
    appId: expect.any(String),
    name: expect.any(String),
    rolloutPercent: 100,
    ...unsetFields(optionalApplicationFields),
    reviewedAt: null,
    reviewDueAt: null,
    ...versioned,
    ...members,
  };
}

export function aRole(members: Members): Members {
  return { appId: expect.any(String), role: expect.any(String), ...unsetFields(roleFields), ...versioned, ...members };
}

export function aUser(members: Members): Members {
  return { userId: expect.any(String), status: 'active', ...unsetFields(userFields), ...versioned, ...members };
}

/** What every resource has that was created and not changed. */
export const versioned = { version: 1, createdAt: aTimestamp, updatedAt: aTimestamp };

/** An API key without its `secret`, which only issuing and rotating return. */
export function aKey(members: Members): Members {
  return {
    keyId: expect.stringMatching(/^svk_k1_[a-z][a-z0-9-]+_[0-9A-HJKMNP-TV-Z]{26}$/),
    ...unsetFields(keyFields),
    scopes: ['access:read', 'access:write', 'roles:write'],
    createdAt: aTimestamp,
    issuedBy: expect.any(Object),
    expiresAt: null,
    revokedAt: null,
    lastUsedOn: null,
    replaces: null,
    replacedBy: null,
    ...members,
  };
}

export const aSecret = expect.stringMatching(/^svs_[A-Za-z0-9_-]{43}$/);

/** The access of a user without settings. */
export function anAccess(members: Members): Members {
  return {
    userId: expect.any(String),
    appId: expect.any(String),
    status: 'enabled',
    explicit: false,
    ...unsetFields(accessFields),
    userStatus: 'active',
    effectiveStatus: 'enabled',
    decidedBy: 'default',
    roles: [],
    version: 0,
    updatedAt: null,
    ...members,
  };
}
