import { exampleKey, exampleStart, exampleTime, pathExamples } from '#shared/contract/examples.ts';

/** A connection as documents show it. */
export const exampleConnection = {
  connectionId: 'gateway',
  kind: 'evaluate',
  name: 'Gateway',
  issuer: null,
  audience: null,
  trustsUserHeader: true,
  clients: null,
  userIdClaim: null,
  userIdAttribute: null,
  takeover: null,
  applications: [pathExamples.appId],
  groupRoles: [],
  keys: [],
  version: 1,
  createdAt: exampleStart,
  updatedAt: exampleStart,
} as const;

/** Its key. */
export const exampleConnectionKey = {
  ...exampleKey,
  keyId: 'svc_c1_gateway_01KB3Z8Q6V0M5E7R9T1W3Y5A8D',
  label: 'nginx',
  scopes: ['access:read', 'roles:read'],
} as const;

/** The same key after its label was changed. */
export const exampleRelabelledConnectionKey = {
  ...exampleConnectionKey,
  label: 'nginx in Frankfurt',
};

/** The key that replaced it. */
export const exampleRotatedConnectionKey = {
  ...exampleRelabelledConnectionKey,
  keyId: 'svc_c1_gateway_01KB407XWJ2P4S6V8Y0A1C3E6H',
  createdAt: exampleTime,
  replaces: exampleConnectionKey.keyId,
} as const;
