import * as v from 'valibot';
import { appIdSchema } from '#shared/contract/fields.ts';
import { operatorRoles, parseHeldRole } from '#shared/contract/operator-role.ts';
import type { OperatorRoleSettings } from '#shared/core/operator-roles.ts';
import type { GivenSettings } from './given-settings.ts';
import { parseJson, readText } from './setting-value.ts';

/** The environment variables of a function are limited to 4 KB in total. */
const maxCharacters = 2000;

/**
 * How operators get their roles: at the stack's user pool from its groups, at another provider from `oidcRoleClaim` and
 * `oidcRoles`, and IAM callers from `iamRoles`. Throws on an unknown role, and if `iamRoles` names no admin.
 */
export function readOperatorRoles(given: GivenSettings): OperatorRoleSettings {
  const settings = { token: readTokenRoles(given), arns: readArnRoles(given) };
  if (JSON.stringify(settings).length > maxCharacters) {
    throw new Error(`The settings oidcRoles and iamRoles may have at most ${maxCharacters} characters together`);
  }
  requireNamedAdmin(settings.arns);
  return settings;
}

function readTokenRoles(given: GivenSettings): OperatorRoleSettings['token'] {
  const [claim, groups] = [readText(given, 'oidcRoleClaim'), readRoleMap(given, 'oidcRoles')];
  if ((claim === undefined) !== (groups === undefined)) {
    throw new Error('The settings oidcRoleClaim and oidcRoles belong together: set both or neither');
  }
  if (readText(given, 'oidcIssuer') !== undefined) return { claim, groups };
  if (claim === undefined) return { claim: 'cognito:groups' };
  throw new Error(
    'The settings oidcRoleClaim and oidcRoles are allowed only with oidcIssuer: the stack names the groups of its user pool',
  );
}

function readArnRoles(given: GivenSettings): OperatorRoleSettings['arns'] {
  const roles = readRoleMap(given, 'iamRoles') ?? {};
  for (const pattern of Object.keys(roles)) {
    if (!arnPattern.test(pattern))
      throw new Error(`The setting iamRoles has the invalid pattern ${pattern}. ${arnHelp}`);
  }
  return roles;
}

/** The possible values of `requestContext.authorizer.iam.userArn`, without the part that a caller chooses. */
const arnPattern =
  /^(?:\*|arn:[a-z*-]+:(?:iam|sts|\*)::(?:\d{12}|\*):(?:\*|root|user\/[^:]+|assumed-role\/[^:/]+(?:\/\*)?|federated-user\/\*))$/;
const arnHelp =
  'It must be *, or the ARN of a user, such as arn:aws:iam::111122223333:user/edith, or of an assumed role, such as arn:aws:sts::111122223333:assumed-role/Support/*, where * is any text; the name of a session cannot be part of it, because callers choose it';

/** A JSON object, as text or in `cdk.json`, whose values are roles. */
function readRoleMap(
  given: GivenSettings,
  name: 'oidcRoles' | 'iamRoles',
): Readonly<Record<string, string>> | undefined {
  const value: unknown = given[name];
  if (value === undefined || value === null || value === '') return undefined;
  const { success, output } = v.safeParse(roleMapSchema, typeof value === 'string' ? parseJson(value) : value);
  if (success && Object.keys(output).length > 0) return output;
  throw new Error(
    `The setting ${name} must be a JSON object such as {"…":"support:billing"}, whose values are ${operatorRoles.join(', ')} or one of them for an application`,
  );
}

const roleMapSchema = v.record(v.pipe(v.string(), v.nonEmpty()), v.pipe(v.string(), v.check(isRole)));

function isRole(text: string): boolean {
  const held = parseHeldRole(text);
  return held !== undefined && (held.appId === null || v.is(appIdSchema, held.appId));
}

/**
 * Once a pattern is set, an identity that matches none is a viewer, so one identity must be named as an admin: the way in when
 * the login provider or its groups fail.
 */
function requireNamedAdmin(arns: OperatorRoleSettings['arns']): void {
  const isNamedAdmin = ([pattern, role]: [string, string]) =>
    role === 'admin' && !pattern.replace(/(:assumed-role\/[^/]+)\/\*$/, '$1').includes('*');
  if (Object.keys(arns).length === 0 || Object.entries(arns).some(isNamedAdmin)) return;
  throw new Error(
    'The setting iamRoles must name one admin by an ARN without *, for when the login provider fails, such as "arn:aws:sts::111122223333:assumed-role/BreakGlass/*":"admin", where only the session may be *: identities that match no pattern are viewers',
  );
}
