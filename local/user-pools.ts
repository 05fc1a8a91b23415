import * as v from 'valibot';
import { LocalError } from './local-error.ts';
import { type TemplateResources, userPoolId, userPoolIssuer } from './template-resources.ts';

/** A user pool that invokes a function before its tokens. */
export interface UserPoolModel {
  readonly id: string;
  /** The issuer that the template has for it, which a login on this machine replaces by its own. */
  readonly issuer: string;
  /** The logical id of the function of the pre token generation trigger, which gets events of the version V2_0. */
  readonly triggerFunctionId: string;
}

const poolSchema = v.object({
  LambdaConfig: v.optional(
    v.object({
      PreTokenGenerationConfig: v.optional(v.object({ LambdaArn: v.string(), LambdaVersion: v.literal('V2_0') })),
    }),
    {},
  ),
});

/** Reads the user pools with a pre token generation trigger; the operators' pool has none, and the development login replaces it. */
export function readUserPools(resources: TemplateResources): UserPoolModel[] {
  return resources.idsOf(['AWS::Cognito::UserPool']).flatMap((logicalId) => {
    const { PreTokenGenerationConfig: trigger } = resources.read(logicalId, poolSchema).LambdaConfig;
    if (trigger === undefined) return [];
    const [, triggerFunctionId] = /:function:([^:/]+)/.exec(trigger.LambdaArn) ?? [];
    if (triggerFunctionId === undefined) throw new LocalError(`The local run cannot find the trigger of ${logicalId}.`);
    const id = userPoolId(logicalId);
    return { id, issuer: userPoolIssuer(id), triggerFunctionId };
  });
}
