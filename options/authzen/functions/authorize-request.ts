import { authorizeRequest } from '../proxy-endpoint.ts';

/** /access/v1/authorize, by any method: whether a proxy may forward the request of a user. */
export const handler = authorizeRequest;
