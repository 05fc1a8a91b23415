import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { answerResource } from './custom-resource.ts';
import { describeLosses } from './data-settings.ts';
import { type GuardRequest, lossesOfRequest } from './guarded-data.ts';

const client = new CloudFormationClient({});

/**
 * Answers a request of CloudFormation with success, or with what the deployment would lose: CloudFormation then rolls it back.
 * An account that cannot be read is a failure too.
 */
export async function guardData(request: GuardRequest): Promise<void> {
  await answerResource({ ...request, PhysicalResourceId: 'data' }, async () => {
    const losses = await lossesOfRequest(client, request).catch((error: Error) => {
      throw new Error(`Cannot tell what this deployment would lose: ${error.message}`);
    });
    if (losses.length > 0) throw new Error(describeLosses(losses));
    return 'data';
  });
}
