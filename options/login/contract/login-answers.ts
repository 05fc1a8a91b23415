import * as v from 'valibot';
import { changedSchema } from '#shared/contract/answers.ts';
import { appIdSchema, timestampSchema, userIdSchema } from '#shared/contract/fields.ts';
import { accountStates, clientTypes } from './login-values.ts';

/** The login of an application. */
export const loginSchema = v.object({
  appId: appIdSchema,
  enabled: v.boolean(),
  clientType: v.nullable(v.picklist(clientTypes)),
  redirectUris: v.array(v.string()),
  logoutUris: v.array(v.string()),
  clientId: v.nullable(v.string()),
  issuer: v.nullable(v.string()),
  error: v.nullable(v.string()),
});

/** The answer to a new secret, the only one that contains it. */
export const loginSecretSchema = v.object({ clientId: v.string(), secretId: v.string(), secret: v.string() });

/** The account by which a person logs in. */
export const accountSchema = v.object({
  userId: userIdSchema,
  state: v.picklist(accountStates),
  invitedAt: v.nullable(timestampSchema),
  signedOutAt: v.nullable(timestampSchema),
  mfa: v.array(v.string()),
  provider: v.nullable(v.string()),
  issuer: v.nullable(v.string()),
  error: v.nullable(v.string()),
});

export const changedLoginSchema = changedSchema(loginSchema);
export const changedAccountSchema = changedSchema(accountSchema);
