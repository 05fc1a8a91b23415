import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { type DocsSiteOptions, docsSite } from '#shared/openapi/docs-site.ts';
import {
  bearerPattern,
  cacheControl,
  contentSecurityPolicy,
  type DashboardLogin,
  filePattern,
  fixedHeaders,
  packedFolder,
} from '../lib/operators/dashboard-delivery.ts';
import { encodeBody } from './compress.ts';
import type { HttpAnswer } from './http-result.ts';

/** The parts of a request that determine the file. */
export interface FileRequest {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  readonly headers: NodeJS.Dict<string[]>;
}

/** Answers a request for the dashboard; undefined for a request to the API. */
export type DashboardFiles = (request: FileRequest) => Promise<HttpAnswer | undefined>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * Serves a built dashboard as CloudFront does (`lib/operators/dashboard-site.ts`). The files are listed once, so that
 * no path can escape the folder. Unlike CloudFront, only a browser gets the page for a path without a file; other
 * requests reach the API.
 */
export function openDashboard(folder: string, login: DashboardLogin): DashboardFiles {
  const files = listFiles(folder);
  const config = Buffer.from(JSON.stringify(login));
  const page = files.get('/index.html');
  const policy = contentSecurityPolicy({
    connectTo: [new URL(login.issuer).origin],
    ...(page && { page: readFileSync(page, 'utf8') }),
  });
  return async ({ method, path, headers }) => {
    const isFile = files.has(path) && !path.startsWith(`/${packedFolder}/`);
    const name = isFile || path === configPath ? path : pageFor(path, headers);
    if (name === undefined || !['GET', 'HEAD'].includes(method)) return undefined;
    const file = files.get(name);
    if (name !== configPath && file === undefined) return undefined;
    const body = file === undefined ? config : await readFile(file);
    const type = types[extname(name)] ?? 'application/octet-stream';
    const cache = name.startsWith('/assets/') ? cacheControl.assets : cacheControl.others;
    const packed = files.get(`/${packedFolder}${name}`);
    return await answer({ type, body, cache, policy, packed, accept: headers['accept-encoding'] });
  };
}

const configPath = '/config.json';

/** Lists the files by URL path. */
function listFiles(folder: string): ReadonlyMap<string, string> {
  const entries = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [`/${relative(folder, file).replaceAll(sep, '/')}`, file]));
}

/** Returns the dashboard's page for `/` and for a browser's request that matches neither a file nor the API. */
function pageFor(path: string, { accept = [] }: FileRequest['headers']): string | undefined {
  if (path === '/') return '/index.html';
  const isOfApi = /^\/(?:api|_local)\//.test(path) || bearerPattern.test(path);
  const isPage = !isOfApi && !new RegExp(filePattern).test(path);
  return isPage && accept.some((types) => /\btext\/html\b/.test(types)) ? '/index.html' : undefined;
}

interface ServedFile {
  readonly type: string;
  readonly body: Buffer;
  readonly cache: string;
  readonly policy: string;
  /** The file of the body in Brotli, if the build has compressed it. */
  readonly packed?: string | undefined;
  /** The request's Accept-Encoding. */
  readonly accept: readonly string[] | undefined;
}

async function answer({ type, body, cache, policy, packed, accept }: ServedFile): Promise<HttpAnswer> {
  const encoded = await encodeBody({
    body,
    type,
    accept,
    ...(packed !== undefined && { packed: () => readFile(packed) }),
  });
  const headers = {
    // Set here because the response to HEAD has no body to measure.
    'content-length': String(encoded.body.length),
    'content-type': type,
    'cache-control': cache,
    'content-security-policy': policy,
    ...encoded.headers,
    ...fixedHeaders,
  };
  return { statusCode: 200, headers: Object.entries(headers), body: encoded.body };
}

const ownName = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/i;

/** Answers a request for a page of the documentation site; undefined for any other. */
export type DocsFiles = (request: FileRequest) => Promise<HttpAnswer | undefined>;

/**
 * Serves the documentation site below `/docs`; each request reads the file again. Serves only this machine's own host
 * names: otherwise another site could point its name here (DNS rebinding) and read the example's key.
 */
export function openDocs(options: DocsSiteOptions = {}): DocsFiles {
  const files = docsSite(options);
  return async ({ method, path, headers }) => {
    const file = files.get(path === '/docs/' ? '/docs' : path);
    if (file === undefined || !['GET', 'HEAD'].includes(method)) return undefined;
    if (!ownName.test(headers.host?.[0] ?? '')) return undefined;
    const { others: cache } = cacheControl;
    const policy = contentSecurityPolicy();
    return await answer({ type: file.type, body: file.read(), cache, policy, accept: headers['accept-encoding'] });
  };
}
