import * as v from 'valibot';
import { extendedSchema } from '#shared/contract/answers.ts';
import { keyEntries } from '#shared/contract/api-key-answers.ts';
import { connectionScopes } from './connection-scopes.ts';

/** A key of a connection, without its token. */
export const connectionKeySchema = v.object({ ...keyEntries, scopes: v.array(v.picklist(connectionScopes)) });

/** A new key of a connection, with the token that no other answer contains. */
export const issuedConnectionKeySchema = extendedSchema(connectionKeySchema, { token: v.string() });
