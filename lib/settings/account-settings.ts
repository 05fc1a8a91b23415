import type { Node } from 'constructs';
import * as v from 'valibot';
import { contextName } from './context-names.ts';
import { readCheckedIn } from './given-settings.ts';
import { type Stage, stages } from './stages.ts';

/** Where a stage is deployed, and through which bootstrap. */
export interface AccountSettings {
  /** The account that the stage belongs to; a deployment with credentials of another is refused. Default: any. */
  readonly account: string | undefined;
  /**
   * `standard`: the account's own, from `cdk bootstrap`. `own`: the one of `npm run bootstrap`, whose roles can deploy only this
   * stage. Default: `standard`.
   */
  readonly bootstrap: 'standard' | 'own';
  /**
   * The qualifier of the bootstrap. Undefined: `@aws-cdk/core:bootstrapQualifier` of the context, or else the CDK's. An `own`
   * one always has a qualifier, by default `authsvc`.
   */
  readonly bootstrapQualifier: string | undefined;
}

/** The qualifier of a bootstrap of `npm run bootstrap`, unless `accounts` gives the stage another. */
export const ownQualifier = 'authsvc';

const accountSchema = v.strictObject({
  bootstrap: v.optional(v.picklist(['standard', 'own'])),
  id: v.optional(v.pipe(v.string(), v.regex(/^\d{12}$/, 'Expected the 12 digits of an AWS account as text'))),
  bootstrapQualifier: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z][a-z0-9]{0,9}$/, 'Expected a lower-case letter and up to 9 letters or digits')),
  ),
});
const accountsSchema = v.strictObject(
  Object.fromEntries(Object.keys(stages).map((stage) => [stage, v.optional(accountSchema)])),
);

/** The name of the stack of a bootstrap. */
export function toolkitStackName(qualifier: string): string {
  return `CDKToolkit-${qualifier}`;
}

/** Reads the account of a stage from `accounts` in `cdk.json`; throws on an invalid one and names it. */
export function readAccount(node: Node, { name }: Pick<Stage, 'name'>): AccountSettings {
  const { success, output, issues } = v.safeParse(accountsSchema, readCheckedIn(node).accounts ?? {});
  if (!success) {
    const [issue] = issues;
    const place = [`context.${contextName}.accounts`, v.getDotPath(issue) ?? []].flat().join('.');
    throw new Error(`cdk.json has an invalid value in ${place}: ${issue.message}`);
  }
  const accounts = output as Partial<Record<Stage['name'], v.InferOutput<typeof accountSchema>>>;
  requireOwnQualifiers(accounts);
  const { id: account, bootstrap = 'standard', bootstrapQualifier } = accounts[name] ?? {};
  return {
    account,
    bootstrap,
    bootstrapQualifier: bootstrapQualifier ?? (bootstrap === 'own' ? ownQualifier : undefined),
  };
}

/** The roles of a bootstrap of `npm run bootstrap` can deploy only one stage. */
function requireOwnQualifiers(accounts: Readonly<Record<string, v.InferOutput<typeof accountSchema>>>): void {
  const places = Object.entries(accounts)
    .filter(([, { id, bootstrap }]) => id !== undefined && bootstrap === 'own')
    .map(([stage, { id, bootstrapQualifier = ownQualifier }]) => ({ stage, place: `${id} ${bootstrapQualifier}` }));
  const shared = places.find(({ place }, at) => places.findIndex((other) => other.place === place) < at);
  if (shared === undefined) return;
  const others = places.filter(({ place }) => place === shared.place).map(({ stage }) => stage);
  throw new Error(
    `cdk.json has the stages ${others.join(' and ')} in one account with one bootstrap, whose roles can deploy only one of them: give all but one their own bootstrapQualifier in context.${contextName}.accounts`,
  );
}
