import * as v from 'valibot';
import { extendedSchema } from './answers.ts';
import { keyFields } from './api-key-fields.ts';
import { fieldEntries } from './field-forms.ts';
import { appIdSchema, keyIdSchema, timestampSchema } from './fields.ts';
import { scopes } from './operation.ts';

/** Who issued a key, as in its Change. */
export const keyIssuerSchema = v.object({
  via: v.picklist(['iam', 'token']),
  id: v.string(),
  email: v.nullable(v.string()),
});

/** What every key has besides its scopes: that of an application, and that of a connection. */
export const keyEntries = {
  keyId: keyIdSchema,
  ...fieldEntries(keyFields, 'shown'),
  createdAt: timestampSchema,
  issuedBy: v.nullable(keyIssuerSchema),
  expiresAt: v.nullable(timestampSchema),
  revokedAt: v.nullable(timestampSchema),
  lastUsedOn: v.nullable(v.pipe(v.string(), v.isoDate())),
  replaces: v.nullable(keyIdSchema),
  replacedBy: v.nullable(keyIdSchema),
};

/** An API key, without its secret. */
export const keySchema = v.object({ ...keyEntries, scopes: v.array(v.picklist(scopes)) });

/** The answer to issuing or rotating a key, the only one that contains its secret. */
export const issuedKeySchema = extendedSchema(keySchema, { secret: v.string() });

/** A key in the list of all applications. */
export const listedKeySchema = extendedSchema(keySchema, { appId: appIdSchema, applicationName: v.string() });
