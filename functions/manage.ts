import { manageEndpoint } from '#shared/http/management/manage-endpoint.ts';

/** ANY /api/manage/{proxy+}: the Management API, for operators and their tools, through the function URL or the HTTP API. */
export const handler = manageEndpoint();
