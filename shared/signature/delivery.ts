/* What API Gateway changes in a request before it calls the service (payload format 2.0 of HTTP APIs). */

const connectionHeaders = new Set(['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']);

/** Whether a header (in lower case) belongs to a connection and is not forwarded. */
export function isConnectionHeader(name: string): boolean {
  return connectionHeaders.has(name);
}

/**
 * Whether a body of this type is delivered as text, in which bytes that are not UTF-8 are replaced; any other is delivered in
 * base64.
 */
export function isDeliveredAsText(contentType = ''): boolean {
  return /^\s*(text\/[^;]+|application\/(json|xml|javascript))\s*(;|$)/i.test(contentType);
}
