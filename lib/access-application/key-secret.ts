import { callAws } from '#shared/core/call-aws.ts';

/** What the secret of an application contains: an API key, where to use it, and what a confidential client logs people in with. */
export interface ApplicationKey extends Partial<LoginSecret> {
  readonly keyId: string;
  readonly secret: string;
  /** The base URL of the Service API. */
  readonly url: string;
}

/** A secret of a confidential client, and where it is used. */
export interface LoginSecret {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clientSecretId: string;
}

/** The stage of a version: the one in use, the one before, and one that a rotation has not finished. */
export type SecretStage = 'AWSCURRENT' | 'AWSPREVIOUS' | 'AWSPENDING';

/** The stages of each version of a secret. */
export type SecretVersions = Readonly<Record<string, readonly string[]>>;

/** Stores a key as the version of this token, 32 to 64 characters, with these stages; the same again changes nothing. */
export async function putKey(
  secretId: string,
  token: string,
  stages: readonly SecretStage[],
  key: ApplicationKey,
): Promise<void> {
  await callSecrets('PutSecretValue', {
    SecretId: secretId,
    ClientRequestToken: token,
    SecretString: JSON.stringify(key),
    VersionStages: stages,
  });
}

/** Reads the key of a stage, or of the version that has it; undefined if there is none, or its text is no key. */
export async function readKey(
  secretId: string,
  stage: SecretStage,
  versionId?: string,
): Promise<ApplicationKey | undefined> {
  try {
    const request = { SecretId: secretId, VersionStage: stage, ...(versionId && { VersionId: versionId }) };
    const { SecretString = '' } = await callSecrets<{ readonly SecretString?: string }>('GetSecretValue', request);
    return JSON.parse(SecretString) as ApplicationKey;
  } catch (error) {
    if (error instanceof SyntaxError || (error as Error).message.includes('ResourceNotFoundException'))
      return undefined;
    throw error;
  }
}

/** The versions of a secret with their stages. */
export async function readVersions(secretId: string): Promise<SecretVersions> {
  const described = await callSecrets<{ readonly VersionIdsToStages?: SecretVersions }>('DescribeSecret', {
    SecretId: secretId,
  });
  return described.VersionIdsToStages ?? {};
}

/** Makes a version the one in use, in place of the other. */
export async function makeCurrent(secretId: string, versionId: string, instead: string | undefined): Promise<void> {
  await callSecrets('UpdateSecretVersionStage', {
    SecretId: secretId,
    VersionStage: 'AWSCURRENT',
    MoveToVersionId: versionId,
    ...(instead !== undefined && { RemoveFromVersionId: instead }),
  });
}

/** An operation of Secrets Manager. An error names its code and never what was sent. */
async function callSecrets<Answer>(operation: string, request: object): Promise<Answer> {
  const { body } = await callAws({
    service: 'secretsmanager',
    path: '/',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `secretsmanager.${operation}` },
    body: JSON.stringify(request),
  });
  return JSON.parse(body || '{}') as Answer;
}
