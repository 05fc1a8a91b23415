import { answerScimDiscovery } from '#shared/http/door/scim-discovery-endpoint.ts';

/** /scim/v2/{ServiceProviderConfig,ResourceTypes,Schemas}: what the service supports of SCIM, and 404 for unknown paths. */
export const handler = answerScimDiscovery;
