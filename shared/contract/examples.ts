/*
 * The examples of the operations. They form one sequence, which a test sends to the running service: every state follows from
 * the previous one.
 */

import { accessFields } from './access-fields.ts';
import { unsetFields } from './field-forms.ts';

const appId = 'billing';
const userId = 'ada';
const keyId = 'svk_k1_billing_01KB3Z8Q6V0M5E7R9T1W3Y5A7C';

const changeId = '01KB3ZC4N7Z3QF4V6E5T8S9R2W';

/** The path parameters of the examples. */
export const pathExamples = {
  appId,
  userId,
  role: 'editor',
  bulkId: '01KB3ZC4N7Z3QF4V6E5T8S9R2W',
  keyId,
  changeId,
  connectionId: 'gateway',
  webhookId: 'backend',
};

/** The time of the first examples. */
export const exampleStart = '2026-11-20T09:00:00.000Z';
const createdAt = exampleStart;
export const exampleTime = '2026-11-20T19:14:11.123Z';
export const exampleCursor = 'eyJwIjoiMDFLQjNaQzRON1ozUUY0VjZFNVQ4UzlSMlcifQ';

export const exampleApplication = {
  appId,
  name: 'Billing',
  rolloutPercent: 100,
  requestsPerSecond: null,
  requireReason: null,
  reviewEveryDays: null,
  reviewedAt: null,
  reviewDueAt: null,
  version: 1,
  createdAt,
  updatedAt: createdAt,
} as const;

export const exampleRole = {
  appId,
  role: 'editor',
  description: 'May change invoices',
  version: 1,
  createdAt,
  updatedAt: createdAt,
} as const;

export const exampleKey = {
  keyId,
  label: 'Backend',
  scopes: ['access:read', 'access:write', 'roles:write'],
  createdAt,
  issuedBy: { via: 'iam', id: 'arn:aws:iam::111122223333:user/edith', email: null },
  expiresAt: null,
  revokedAt: null,
  lastUsedOn: null,
  replaces: null,
  replacedBy: null,
} as const;

/** The same key after its label was changed. */
export const exampleRelabelledKey = { ...exampleKey, label: 'Production backend' };

export const exampleUser = {
  userId,
  status: 'active',
  displayName: 'Ada Lovelace',
  email: 'ada@example.org',
  version: 1,
  createdAt,
  updatedAt: createdAt,
} as const;

/** The fields set with the status of a block. */
const exampleBlock = createBlock();

function createBlock() {
  return { ...unsetFields(accessFields), until: '2027-01-31T12:00:00.000Z', reason: 'left the team' } as const;
}

/** One access in the course of the sequence, by the latest step. */
export const exampleAccess = createExampleAccess();

function createExampleAccess() {
  const untouched = {
    userId,
    appId,
    status: 'enabled',
    explicit: false,
    ...unsetFields(accessFields),
    userStatus: 'active',
    effectiveStatus: 'enabled',
    decidedBy: 'default',
    roles: [],
    version: 0,
    updatedAt: null,
  } as const;
  const assigned = {
    ...untouched,
    roles: [{ name: 'editor', expiresAt: '2027-06-30T22:00:00.000Z' }],
    version: 1,
    updatedAt: exampleTime,
  } as const;
  const disabled = {
    ...assigned,
    status: 'disabled',
    explicit: true,
    ...exampleBlock,
    effectiveStatus: 'disabled',
    decidedBy: 'explicit',
    version: 2,
  } as const;
  const enabled = {
    ...disabled,
    status: 'enabled',
    ...unsetFields(accessFields),
    effectiveStatus: 'enabled',
    version: 3,
  } as const;
  const ended = {
    ...enabled,
    status: 'disabled',
    reason: 'contract ended',
    effectiveStatus: 'disabled',
    version: 4,
  } as const;
  return {
    untouched,
    assigned,
    disabled,
    enabled,
    revoked: { ...ended, roles: [], version: 5 },
    reassigned: { ...ended, roles: [{ name: 'editor', expiresAt: null }], version: 6 },
    revokedAgain: { ...ended, roles: [], version: 7 },
    undone: { ...ended, version: 8 },
  };
}

/** Who set the status in the application. */
export const exampleSetBy = {
  changeId,
  at: exampleTime,
  caller: { kind: 'api-key', appId, keyId },
  reason: 'left the team',
  ticket: 'INC-1234',
  bulkId: null,
} as const;

/** The members of an answer about its change. */
export const exampleChanged = { changed: true, changeId } as const;

/** The snapshot of the application after the access was disabled. */
export const exampleSnapshot = createSnapshot();

function createSnapshot() {
  return [
    {
      kind: 'access',
      userId,
      userCreatedAt: createdAt,
      status: 'disabled',
      ...exampleBlock,
      roles: [{ name: 'editor', expiresAt: '2027-06-30T22:00:00.000Z' }],
      version: 2,
      updatedAt: exampleTime,
      changeId,
    },
  ] as const;
}

export const exampleChange = createChange();

function createChange() {
  return {
    id: changeId,
    at: exampleTime,
    action: 'access.changed',
    appId,
    userId,
    caller: { kind: 'api-key', appId, keyId },
    requestId: 'KxYz1iQrDoEEJfA=',
    sourceIp: '192.0.2.7',
    before: { status: 'enabled', explicit: false, ...unsetFields(accessFields), version: 1 },
    after: { status: 'disabled', explicit: true, ...exampleBlock, version: 2 },
    reason: 'left the team',
    ticket: 'INC-1234',
  } as const;
}

/** The same, as operators read it. */
export const exampleChangeView = createChangeView();

function createChangeView() {
  const integrity = {
    root: 'h1',
    previous: 'QBf00L3jHlCJ98R8cZF3nA',
    salt: '7pgAoPj3jSLhmbx50p2cAA',
    mac: 'XE1FDC9M2rB8Qr6j_0l0eQ',
  } as const;
  return { ...exampleChange, integrity, undo: 'possible' } as const;
}
