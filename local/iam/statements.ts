import * as v from 'valibot';
import { parse } from '../template-resources.ts';
import type { Authorization } from './authorization.ts';
import { type ConditionBlock, compileConditions, unsupported } from './conditions.ts';
import { actionPattern, type Pattern, resourcePattern } from './patterns.ts';

/** A compiled statement of a policy. */
export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  /** Whether it applies to this permission of this principal. */
  readonly applies: (authorization: Authorization, principal: Principal) => boolean;
  /** How a statement of a resource policy names a principal; undefined in a role's policy, which does not name one. */
  readonly names?: ((principal: Principal) => Naming | undefined) | undefined;
}

/** The caller: the ARN of a role of the account, or a service such as `events.amazonaws.com`. */
export type Principal = string;

/**
 * `itself` by its ARN or by `*`; `account` by the account only, which leaves the decision to the policies of its roles.
 */
export type Naming = 'itself' | 'account';

const texts = v.union([v.string(), v.array(v.string())]);
/** `NotAction`, `NotResource`, `NotPrincipal` and any future element are unknown and rejected. */
const statementSchema = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: texts,
  Resource: texts,
  Principal: v.optional(v.union([v.literal('*'), v.record(v.picklist(['AWS', 'Service']), texts)])),
  Condition: v.optional(v.record(v.string(), v.record(v.string(), v.unknown()))),
});
const policySchema = v.strictObject({ Version: v.literal('2012-10-17'), Statement: v.array(v.unknown()) });

/** A policy document with the place in the template that errors name. */
export interface PolicyDocument {
  readonly place: string;
  readonly json: unknown;
}

/** Compiles the statements of several policy documents. */
export function compileDocuments(documents: readonly PolicyDocument[]): Statement[] {
  return documents.flatMap(({ place, json }) => compilePolicy(json, place));
}

/**
 * Compiles the statements of a policy document; throws a LocalError that names any element or condition it cannot
 * evaluate.
 */
export function compilePolicy(document: unknown, place: string): Statement[] {
  const { Statement } = parse(policySchema, document, place);
  return Statement.map((statement, at) => compileStatement(statement, `${place}.Statement.${at}`));
}

/** Compiles one statement, with all intrinsic functions of the template resolved. */
export function compileStatement(json: unknown, place: string): Statement {
  const { Effect, Action, Resource, Principal, Condition = {} } = parse(statementSchema, json, place);
  const isAction = anyOf([Action].flat().map(actionPattern));
  const isResource = anyOf([Resource].flat().map((arn) => resourcePattern(withoutVariables(arn, place))));
  const isMet = compileConditions(Condition satisfies ConditionBlock, place);
  const names = Principal && namingOf(Principal);
  return {
    effect: Effect,
    applies: ({ action, resource, context }, principal) =>
      isAction(action) &&
      isResource(resource) &&
      isMet(context) &&
      (names === undefined || names(principal) !== undefined),
    names,
  };
}

/** An account's root represents all principals of the account (IAM user guide, "Principal"). */
function namingOf(given: '*' | Partial<Record<'AWS' | 'Service', string | string[]>>) {
  const named = given === '*' ? ['*'] : Object.values(given).flat();
  const accounts = named.flatMap((arn) => /^arn:[^:]+:iam::(\d{12}):root$/.exec(arn)?.[1] ?? []);
  return (principal: Principal): Naming | undefined => {
    if (named.includes('*') || named.includes(principal)) return 'itself';
    return accounts.includes(principal.split(':')[4] ?? '') ? 'account' : undefined;
  };
}

function anyOf(patterns: readonly Pattern[]): Pattern {
  return (text) => patterns.some((matches) => matches(text));
}

function withoutVariables(arn: string, place: string): string {
  if (arn.includes('${')) throw unsupported(`the policy variable in ${arn}`, place);
  return arn;
}
