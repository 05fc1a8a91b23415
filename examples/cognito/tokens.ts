import { AuthServiceClient } from '@auth-service/client';
import { tokenTrigger } from '@auth-service/client/cognito';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

const { AUTH_URL: baseUrl = '', AUTH_KEYS_ARN: SecretId = '' } = process.env;
const { SecretString = '{}' } = await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId }));
const keys: Record<string, { keyId: string; secret: string }> = JSON.parse(SecretString);

const applications = Object.fromEntries(
  Object.entries(keys).map(([clientId, key]) => [clientId, { source: new AuthServiceClient({ baseUrl, ...key }) }]),
);

export const handler = tokenTrigger({
  applications,
  userId: ({ request }) => request.userAttributes?.sub,
  whenUnavailable: 'deny',
});
