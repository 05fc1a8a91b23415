/** How CloudFront and the local run deliver the dashboard's files, without loading the CDK. */
import { hash } from 'node:crypto';
import manifest from '../../package.json' with { type: 'json' };
import { bearerEndpoints, publicPaths } from '../options/endpoint-sets.ts';

/** The paths of files. Every other path but those of `bearerPattern` is a page, whose path may contain a user id with dots. */
export const filePattern = '^/(?:(?:assets|docs)/.+|docs|[^/]+[.][^/]+)$';

const bearerPaths = bearerEndpoints.flatMap(({ routes }) => routes.map(({ path }) => path));
const bearerFolders = new Set(
  [...bearerPaths, ...publicPaths.map(({ path }) => path)].map((path) => path.split('/')[1]?.replace('.', '[.]')),
);

/**
 * The paths of the endpoints for connections, in any case, which are never a page: a proxy that asks at the dashboard's host by
 * mistake would take the page's status 200 for "may enter".
 */
export const bearerPattern = new RegExp(`^/+(?:${[...bearerFolders].join('|')})(?:/|$)`, 'i');

/** The pages of the documentation, whose files end in `.html` although their paths do not. */
export const docsPagePattern = '^/docs(?:/[^./]+)?$';

/** Where the build has its scripts and styles in Brotli, below the names that they are delivered by. */
export const packedFolder = 'brotli';

/** Files with a hash in their name never change; all others are revalidated on each request. */
export const cacheControl = {
  assets: 'public, max-age=31536000, immutable',
  others: 'no-cache',
} as const;

/** What a page may load and run besides the files of its own origin. */
export interface PageSources {
  /** The origins of the login, for its configuration and tokens. Default: none. */
  readonly connectTo?: readonly string[];
  /** The page, whose own inline scripts and styles are allowed by their hashes. Default: nothing is inline. */
  readonly page?: string;
}

/** Forbids content from other origins, all other inline scripts and styles, and eval. */
export function contentSecurityPolicy({ connectTo = [], page = '' }: PageSources = {}): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...inlineHashes(page, 'script')].join(' '),
    ["style-src 'self'", ...inlineHashes(page, 'style')].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    ['connect-src', "'self'", ...connectTo].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The hashes of the inline elements, as CSP names them (CSP Level 3 section 2.3.1). */
function inlineHashes(page: string, element: 'script' | 'style'): string[] {
  const inline = page.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'));
  return [...inline].map(([, text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`);
}

/**
 * The headers of every file, in addition to the Content-Security-Policy. CloudFront adds HSTS, which needs TLS (RFC 6797
 * section 7.2).
 */
export const fixedHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** The version of the service. */
export const serviceVersion = manifest.version;

/** The content of `/config.json`, which the dashboard reads. */
export interface DashboardLogin {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  /** The URL of the Service API for applications. Default: the dashboard's origin. */
  readonly serviceUrl?: string;
  /** Of the deployment, such as `prod`, and the version of the service. */
  readonly stage?: string;
  readonly version?: string;
}
