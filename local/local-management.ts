import { createManagementClient, type ManagementClient } from '#client/management.ts';
import { type AccessKey, localAccess } from './local-credentials.ts';

/** The client of the Management API of a local run, whose functions answer late while a busy machine starts them. */
export function createLocalManagement(
  manageUrl: string,
  { accessKeyId, secretAccessKey }: AccessKey,
): ManagementClient {
  return createManagementClient({
    url: manageUrl,
    credentials: { accessKeyId, secretAccessKey },
    region: localAccess.region,
    timeoutSeconds: 300,
    silenceSeconds: 300,
    maxAttempts: 10,
  });
}
