import type { OptionStack } from '#lib/options/option-stack.ts';
import { authzenMetadataPath, evaluationEndpoint } from './authzen-endpoints.ts';

/** Its metadata is public. */
export const authzenStack: OptionStack = {
  publicPaths: [
    {
      id: 'AuthzenMetadata',
      path: authzenMetadataPath,
      servedBy: evaluationEndpoint.name,
      reason: 'It answers where the endpoints are, which clients ask without a token, and reads no data.',
    },
  ],
};
