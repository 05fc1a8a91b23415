import { answerScimDiscovery } from '../http/scim-discovery-endpoint.ts';

/** /scim/v2/{ServiceProviderConfig,ResourceTypes,Schemas}: what the service supports of SCIM. */
export const handler = answerScimDiscovery;
