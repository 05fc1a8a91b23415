import { authorizeRequest } from '../proxy-endpoint.ts';

/** GET /access/v1/authorize: whether a proxy may forward the request of a user. */
export const handler = authorizeRequest;
