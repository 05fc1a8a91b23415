/** How the dashboard's files are delivered, by CloudFront and by the local run alike. Data only: it loads no CDK. */

/** The paths of files; every other path is a page of the dashboard's own, whose paths hold user ids with dots in them. */
export const filePattern = '^/(?:(?:assets|docs)/.+|docs|[^/]+[.][^/]+)$';

/** The pages about the APIs, whose files end in `.html`, though their addresses do not. */
export const docsPagePattern = '^/docs(?:/[^./]+)?$';

/** Hashed names never mean anything else; every other name is asked for again each time. */
export const cacheControl = {
  assets: 'public, max-age=31536000, immutable',
  others: 'no-cache',
} as const;

/**
 * Nothing from elsewhere, no inline script or style, no eval; `connectTo` are the origins that the login asks for its
 * settings and for tokens.
 */
export function contentSecurityPolicy(connectTo: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ['connect-src', "'self'", ...connectTo].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The headers of every file beside the Content-Security-Policy. TLS's own, HSTS, is CloudFront's (RFC 6797 section 7.2). */
export const fixedHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** What the dashboard reads from `/config.json`. */
export interface DashboardLogin {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  /** Where applications reach the Service API. Default: the dashboard's own origin. */
  readonly serviceUrl?: string;
}
