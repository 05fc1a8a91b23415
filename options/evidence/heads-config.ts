import { requireVariable } from '#shared/core/config.ts';

export interface HeadsConfig {
  /** The bucket in another account that keeps the signed heads. */
  readonly bucket: string;
  /** The ARN of the KMS key that signs them. */
  readonly keyArn: string;
  /** The service of the stage, such as `auth-service`. */
  readonly service: string;
}

/** Settings of the function that signs the heads of all chains. */
export function headsConfig(): HeadsConfig {
  return {
    bucket: requireVariable('HEADS_BUCKET'),
    keyArn: requireVariable('HEADS_KEY_ARN'),
    service: requireVariable('POWERTOOLS_SERVICE_NAME'),
  };
}
