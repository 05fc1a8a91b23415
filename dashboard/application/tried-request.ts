import { type Scope, serviceRoutes } from '#shared/contract/routes.ts';

/** A request to the Service API, not yet signed. */
export interface TriedRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
}

export interface Trial {
  readonly value: string;
  readonly label: string;
  readonly scope: Scope;
  readonly route: keyof typeof serviceRoutes;
  readonly body: string;
}

/** What can be tried, one for each scope. */
export const trials = [
  trial('get-access', 'Ask whether a user may enter', ''),
  trial('set-access', 'Turn the access of a user off', '{"status":"disabled","reason":"a trial"}'),
  trial('assign-role', 'Assign the role editor', '{"role":"editor"}'),
] as const;

function trial(route: Trial['route'], label: string, body: string): Trial {
  const { method, scope } = serviceRoutes[route];
  return { value: route, label: `${label} (${method})`, scope, route, body };
}

export function triedRequest({ route, body }: Trial, serviceUrl: string, userId: string): TriedRequest {
  const { method, path } = serviceRoutes[route];
  const url = new URL(serviceUrl.replace(/\/$/, '') + path.replace('{userId}', encodeURIComponent(userId)));
  return { method, url, body };
}

/** For a POSIX shell. */
export function toCurl({ method, url, body }: TriedRequest, headers: Readonly<Record<string, string>>): string {
  const options = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const content = body === '' ? [] : [`-d ${quote(body)}`];
  return [`curl -sS -X ${method}`, ...options, ...content, quote(url.href)].join(' \\\n  ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
