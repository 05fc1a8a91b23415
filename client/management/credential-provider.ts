/** The credentials of an IAM principal. */
export interface AwsCredentials {
  /** The public part of the access key. */
  readonly accessKeyId: string;
  /** The secret part, which is never sent. */
  readonly secretAccessKey: string;
  /** With temporary credentials, as of a role. */
  readonly sessionToken?: string | undefined;
}

/** Returns the current credentials; called before each signature. The providers of the AWS SDK cache and renew them. */
export type AwsCredentialProvider = () => Promise<AwsCredentials>;
