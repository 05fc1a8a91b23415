import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#test/support/free-port.ts';
import { readDocument } from '#test/support/run-document.ts';
import { type RunningProxy, runCaddy, runNginx } from '#test/support/run-proxy.ts';

/** The page whose files these proxies run. */
export const proxyPage = await readDocument('docs/integrate/gateways.md');

/** How the proxy identifies users, in the order of the page's files. */
export const waysToIdentify = ['by a token', 'by the proxy'] as const;
export type WayToIdentify = (typeof waysToIdentify)[number];

const proxies = { nginx: runNginx, Caddy: runCaddy } as const;
export type ProxyName = keyof typeof proxies;

/** What a reader of the page puts in place of its example values. */
export interface DocumentedProxyOptions {
  /** Host and port of the API. */
  readonly api: string;
  readonly token: string;
  readonly backendPort: number;
  readonly dns: string;
  readonly authorities: string;
  /** The users whom the proxy authenticates; each has the password `secret`. */
  readonly users: readonly string[];
}

/** Runs a file of the page; only the values in its table are replaced. */
export async function startDocumentedProxy(
  [name, way]: readonly [ProxyName, WayToIdentify],
  options: DocumentedProxyOptions,
): Promise<RunningProxy> {
  const { api, token, backendPort, dns, authorities, users } = options;
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'users-'));
  const userFile = join(folder, 'wiki.users');
  const values: Readonly<Record<string, () => string>> = {
    'api.example.com': () => api,
    'svt_…': () => token,
    '127.0.0.1:8000': () => `127.0.0.1:${port}`,
    '127.0.0.1:8080': () => `127.0.0.1:${backendPort}`,
    '192.0.2.53': () => dns,
    '/etc/ssl/certs/ca-certificates.crt': () => authorities,
    '/etc/nginx/wiki.users': () => userFile,
    'ada $2a$14$…': () => users.map((user) => `${user} ${caddyHash()}`).join('\n'),
  };
  const documented = [...proxyPage.text.matchAll(/^\| `([^`]+)` +\| /gm)].map(([, value = '']) => value);
  if (documented.toString() !== Object.keys(values).toString()) throw new Error(`The page replaces ${documented}`);
  const file = Object.entries(values).reduce(
    (text, [value, by]) => (text.includes(value) ? text.replaceAll(value, by) : text),
    proxyPage.blocks(name.toLowerCase())[waysToIdentify.indexOf(way)] ?? '',
  );
  // The workers of nginx read it, who do not run as the user who starts it.
  chmodSync(folder, 0o755);
  writeFileSync(userFile, users.map((user) => `${user}:${openSslHash()}\n`).join(''));
  const proxy = await proxies[name](file, { port, authorities });
  return {
    url: proxy.url,
    stop: async () => {
      await proxy.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Takes a second of CPU, so it is computed once. */
const caddyHash = once(() => run('caddy', 'hash-password', '--plaintext', 'secret'));
const openSslHash = once(() => run('openssl', 'passwd', '-apr1', 'secret'));

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' }).trim();
}

function once<Result>(compute: () => Result): () => Result {
  let result: { readonly value: Result } | undefined;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}
