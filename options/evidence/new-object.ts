import { hash } from 'node:crypto';
import { AwsCallError, callAws } from '#shared/core/call-aws.ts';
import { jitter, pause } from '#shared/core/clock.ts';
import { bucketEndpoint } from '#shared/core/config.ts';

/** An object to store in S3. */
export interface NewObject {
  readonly bucket: string;
  /** Of unreserved characters and `/`; nobody else may use it. */
  readonly name: string;
  readonly body: string;
}

const maxAttempts = 4;

/**
 * Stores an object under a name that no object has. Retries what may succeed later; if the name is taken by then, an earlier
 * attempt whose answer was lost has stored it. A bucket with a retention accepts only objects with a checksum.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
export async function putNewObject({ bucket, name, body }: NewObject): Promise<void> {
  const headers = { 'if-none-match': '*', 'x-amz-checksum-sha256': hash('sha256', body, 'base64') };
  const call = {
    service: 's3',
    endpoint: bucketEndpoint(bucket),
    method: 'PUT',
    path: `/${name}`,
    headers,
    body,
  } as const;
  for (let attempt = 1; ; attempt++) {
    try {
      await callAws(call);
      return;
    } catch (error) {
      const status = error instanceof AwsCallError ? error.status : 503;
      if (status === 412 && attempt > 1) return;
      const isTransient = status >= 500 || status === 409 || status === 429;
      if (!isTransient || attempt === maxAttempts) throw error;
      await pause(jitter(250 * 2 ** attempt));
    }
  }
}
