/** The credentials of an IAM principal. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Returns the current credentials; called before each signature. The providers of the AWS SDK cache and renew them. */
export type AwsCredentialProvider = () => Promise<AwsCredentials>;
