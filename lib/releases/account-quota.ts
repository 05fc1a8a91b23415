import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import * as v from 'valibot';

const settingsSchema = v.object({ AccountLimit: v.object({ ConcurrentExecutions: v.number() }) });
const path = '/2016-08-19/account-settings/';

/**
 * Reads the account's quota of concurrent executions with the Region and the credentials of a client; throws unless AWS
 * answers. One request does not need the SDK's client for Lambda.
 * https://docs.aws.amazon.com/lambda/latest/api/API_GetAccountSettings.html
 */
export async function readConcurrencyQuota({ config }: CloudFormationClient): Promise<number> {
  const region = await config.region();
  const { protocol, hostname, host } = new URL(
    process.env.AWS_ENDPOINT_URL_LAMBDA ?? process.env.AWS_ENDPOINT_URL ?? `https://lambda.${region}.amazonaws.com`,
  );
  const signer = new SignatureV4({ service: 'lambda', region, credentials: config.credentials, sha256: Sha256 });
  const request = { method: 'GET', protocol, hostname, path, query: {}, headers: { host } };
  const { host: _, ...headers } = (await signer.sign(request)).headers;
  const response = await fetch(`${protocol}//${host}${path}`, { headers, signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`Lambda answered ${response.status}: ${(await response.text()).slice(0, 200)}`);
  return v.parse(settingsSchema, await response.json()).AccountLimit.ConcurrentExecutions;
}
