import type { AwsCredentialProvider } from './credential-provider.ts';

/** The AWS default chain, loaded on first use: it is for Node, and large. */
export function defaultCredentials(profile?: string): AwsCredentialProvider {
  let chain: Promise<AwsCredentialProvider> | undefined;
  return async () => {
    chain ??= import('./default-chain.ts').then(({ openChain }) => openChain(profile));
    return (await chain)();
  };
}
