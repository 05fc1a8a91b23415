import type { AwsCredentialProvider } from './credential-provider.ts';
import type { Authorization } from './send-attempt.ts';

/** Authorizes requests by AWS Signature Version 4. The signer is loaded on first use. */
export function signatureAuthorization(
  origin: string,
  { region, provide }: { readonly region: string; readonly provide: AwsCredentialProvider },
): Authorization {
  return {
    prepare: provide,
    headers: async (request) => {
      const { signRequestV4 } = await import('./sign-request-v4.ts');
      return signRequestV4(origin, request, { region, provide });
    },
    renew: async () => false,
  };
}
