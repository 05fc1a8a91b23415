import type { Node } from 'constructs';
import * as v from 'valibot';
import { parseJson } from './setting-value.ts';
import { type Stage, stages } from './stages.ts';

/** Where a stage is deployed, and through which bootstrap. */
export interface AccountSettings {
  /** The account that the stage belongs to; a deployment with credentials of another is refused. Default: any. */
  readonly account: string | undefined;
  /**
   * The qualifier of the bootstrap, whose roles can deploy only this stage. Default: `@aws-cdk/core:bootstrapQualifier` in
   * `cdk.json`.
   */
  readonly bootstrapQualifier: string | undefined;
}

const accountSchema = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^\d{12}$/, 'Expected the 12 digits of an AWS account as text')),
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
  const given: unknown = node.tryGetContext('accounts') ?? {};
  const { success, output, issues } = v.safeParse(accountsSchema, typeof given === 'string' ? parseJson(given) : given);
  if (!success) {
    const [issue] = issues;
    const place = ['context.accounts', v.getDotPath(issue) ?? []].flat().join('.');
    throw new Error(`cdk.json has an invalid value in ${place}: ${issue.message}`);
  }
  const accounts = output as Partial<Record<Stage['name'], v.InferOutput<typeof accountSchema>>>;
  requireOwnQualifiers(accounts);
  return { account: accounts[name]?.id, bootstrapQualifier: accounts[name]?.bootstrapQualifier };
}

/** The roles of a bootstrap can deploy only one stage. */
function requireOwnQualifiers(accounts: Readonly<Record<string, v.InferOutput<typeof accountSchema>>>): void {
  const places = Object.entries(accounts).map(([stage, { id, bootstrapQualifier = '' }]) => ({
    stage,
    place: `${id} ${bootstrapQualifier}`,
  }));
  const shared = places.find(({ place }, at) => places.findIndex((other) => other.place === place) < at);
  if (shared === undefined) return;
  const others = places.filter(({ place }) => place === shared.place).map(({ stage }) => stage);
  throw new Error(
    `cdk.json has the stages ${others.join(' and ')} in one account with one bootstrap, whose roles can deploy only one of them: give all but one a bootstrapQualifier in context.accounts`,
  );
}
