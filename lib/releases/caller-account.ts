import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { sendSigned } from './signed-request.ts';

/**
 * Reads the account of the client's credentials, for which no permission is needed; throws unless AWS answers.
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 */
export async function readCallerAccount(client: CloudFormationClient): Promise<string> {
  const body = 'Action=GetCallerIdentity&Version=2011-06-15';
  const answer = await sendSigned(client, { service: 'sts', method: 'POST', path: '/', body });
  const [, account] = /<Account>(\d{12})<\/Account>/.exec(answer) ?? [];
  if (account === undefined) throw new Error(`sts did not name the account: ${answer.slice(0, 200)}`);
  return account;
}
