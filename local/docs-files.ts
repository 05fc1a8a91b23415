import { contentSecurityPolicy, fixedHeaders } from '../lib/dashboard-delivery.ts';
import { docsSite } from '../lib/openapi/docs-site.ts';
import type { FileRequest } from './dashboard-files.ts';
import type { HttpAnswer } from './http-result.ts';

/** Answers a request for a page about the APIs; undefined for any other. */
export type DocsFiles = (request: FileRequest) => HttpAnswer | undefined;

/** Delivers the site about the APIs below `/docs`, each file as it is now. */
export function openDocs(): DocsFiles {
  const files = docsSite();
  return ({ method, path }) => {
    const file = files.get(path === '/docs/' ? '/docs' : path);
    if (file === undefined || !['GET', 'HEAD'].includes(method)) return undefined;
    const body = file.read();
    const headers = {
      // Also to a HEAD, whose answer has no body to count.
      'content-length': String(body.length),
      'content-type': file.type,
      'cache-control': 'no-cache',
      'content-security-policy': contentSecurityPolicy([]),
      ...fixedHeaders,
    };
    return { statusCode: 200, headers: Object.entries(headers), body };
  };
}
