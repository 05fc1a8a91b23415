import type { PublicPath } from '#lib/options/public-path.ts';
import { authzenMetadataPath, evaluationEndpoint } from './authzen-endpoints.ts';

/** The metadata is public. */
export const authzenPublicPaths: readonly PublicPath[] = [
  {
    id: 'AuthzenMetadata',
    path: authzenMetadataPath,
    servedBy: evaluationEndpoint.name,
    reason: 'It answers where the endpoints are, which clients ask without a token, and reads no data.',
  },
];
