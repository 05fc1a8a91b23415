import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';
import { sendSigned } from './signed-request.ts';

const settingsSchema = v.object({ AccountLimit: v.object({ ConcurrentExecutions: v.number() }) });

/**
 * Reads the account's quota of concurrent executions; throws unless AWS answers.
 * https://docs.aws.amazon.com/lambda/latest/api/API_GetAccountSettings.html
 */
export async function readConcurrencyQuota(client: CloudFormationClient): Promise<number> {
  const path = '/2016-08-19/account-settings/';
  const answer = await sendSigned(client, { service: 'lambda', method: 'GET', path });
  return v.parse(settingsSchema, JSON.parse(answer)).AccountLimit.ConcurrentExecutions;
}
