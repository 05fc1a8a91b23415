import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { describeLosses } from './data-settings.ts';
import { type GuardRequest, lossesOfRequest } from './guarded-data.ts';

/** CloudFormation accepts an answer of 4 KB (its guide, "Custom resource response objects"). */
const longestReason = 3000;

const client = new CloudFormationClient({});

/**
 * Answers a request of CloudFormation with success, or with what the deployment would lose: CloudFormation then rolls it back.
 * An account that cannot be read is a failure too. Throws only if the answer cannot be sent, so that Lambda tries it again.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-responses.html
 */
export async function guardData(request: GuardRequest): Promise<void> {
  const { StackId, RequestId, LogicalResourceId } = request;
  const reason = await lossesOfRequest(client, request).then(
    describeLosses,
    (error: Error) => `Cannot tell what this deployment would lose: ${error.message}`,
  );
  const answer = {
    Status: reason === '' ? 'SUCCESS' : 'FAILED',
    ...(reason !== '' && { Reason: reason.slice(0, longestReason) }),
    PhysicalResourceId: 'data',
    StackId,
    RequestId,
    LogicalResourceId,
  };
  // The URL is signed for an empty content type.
  const response = await fetch(request.ResponseURL, {
    method: 'PUT',
    headers: { 'content-type': '' },
    body: JSON.stringify(answer),
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`CloudFormation's address for the answer has answered ${response.status}`);
}
