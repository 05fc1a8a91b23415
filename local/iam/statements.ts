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
const elements = {
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: texts,
  Resource: texts,
  Condition: v.optional(v.record(v.string(), v.record(v.string(), v.unknown()))),
};
const principal = v.union([v.literal('*'), v.record(v.picklist(['AWS', 'Service']), texts)]);
/** A policy of a role cannot name a principal, and one of a resource must (IAM user guide, "Principal"). */
const statementSchemas = {
  identity: v.strictObject(elements),
  resource: v.strictObject({ ...elements, Principal: principal }),
};

/** Whether a policy is attached to a role, or to a resource such as a key. */
export type PolicyKind = keyof typeof statementSchemas;

const policySchema = v.strictObject({ Version: v.literal('2012-10-17'), Statement: v.array(v.unknown()) });

/** A policy document with the place in the template that errors name. */
export interface PolicyDocument {
  readonly place: string;
  readonly json: unknown;
}

/** Compiles the statements of several policy documents. */
export function compileDocuments(kind: PolicyKind, documents: readonly PolicyDocument[]): Statement[] {
  return documents.flatMap((document) => compilePolicy(kind, document));
}

/**
 * Compiles the statements of a policy document; throws a LocalError that names any element or condition it cannot
 * evaluate.
 */
export function compilePolicy(kind: PolicyKind, { place, json }: PolicyDocument): Statement[] {
  const { Statement } = parse(policySchema, json, place);
  return Statement.map((json, at) => compileStatement(kind, { place: `${place}.Statement.${at}`, json }));
}

/** Compiles one statement, with all intrinsic functions of the template resolved. */
export function compileStatement(kind: PolicyKind, { place, json }: PolicyDocument): Statement {
  const statement = parse(statementSchemas[kind], json, place);
  const { Effect, Action, Resource, Condition = {} } = statement;
  const isAction = anyOf([Action].flat().map(actionPattern));
  const isResource = anyOf([Resource].flat().map((arn) => resourcePattern(withoutVariables(arn, place))));
  const isMet = compileConditions(Condition satisfies ConditionBlock, place);
  const names = 'Principal' in statement ? namingOf(statement.Principal) : undefined;
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

/** An account's root, or its id, represents all principals of the account (IAM user guide, "Principal"). */
function namingOf(given: '*' | Partial<Record<'AWS' | 'Service', string | string[]>>) {
  const named = given === '*' ? ['*'] : Object.values(given).flat();
  const accounts = named.flatMap((one) => /^(?:arn:[^:]+:iam::(\d{12}):root|(\d{12}))$/.exec(one)?.slice(1) ?? []);
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
