import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A profile of V8's, as far as it matters here. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Of nodes, one each time V8 looked. */
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** The first that matches a module's path names the part that its time is counted to. */
const parts: readonly (readonly [pattern: RegExp, part: string])[] = [
  [/^\(garbage collector\)$/, 'garbage collection'],
  [/^node:(?:internal\/)?crypto/, 'Node: crypto'],
  [/^node:(?:_http|https|_tls|internal\/tls|internal\/http)/, 'Node: HTTP and TLS'],
  [/^node:/, 'Node: streams, sockets, events, timers'],
  [/signature-v4|httpAuthSchemes|http-auth|http-signing|credential|aws-client/, 'SDK: signing'],
  [/node-http-handler/, 'SDK: HTTP handler'],
  [/submodules\/(?:protocols|schema|serde)|dynamodb-codec|util-dynamodb/, 'SDK: JSON and schemas'],
  [/endpoint/, 'SDK: endpoint'],
  [/submodules\/retry/, 'SDK: retries'],
  [/@aws-sdk|@smithy|@aws\//, 'SDK: clients, middlewares, user agent'],
  [/powertools/, 'Powertools: log and metrics'],
  [/@middy/, 'Middy'],
  [/valibot|contract\//, 'validation'],
  [/shared\/signature|shared\/keys|http\/(?:verify-signature|signed-message)/, 'signature verification'],
  [/^(?:shared|functions)\//, 'the service otherwise'],
];

/** The share of each part in the time that a process was busy, the greatest first. */
export function sharesOf({ nodes, samples, timeDeltas }: CpuProfile, bundle: string): [part: string, share: number][] {
  const modules = modulesByLine(bundle);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const spent = new Map<string, number>();
  for (const [index, sample] of samples.entries()) {
    const part = partOf(sample);
    if (part !== undefined) spent.set(part, (spent.get(part) ?? 0) + (timeDeltas[index] ?? 0));
  }
  const all = [...spent.values()].reduce((sum, each) => sum + each, 0);
  return [...spent].map(([part, time]): [string, number] => [part, time / all]).sort((one, other) => other[1] - one[1]);

  /** What V8 and Node do in machine code belongs to whoever called it; undefined for doing nothing. */
  function partOf(id: number | undefined): string | undefined {
    const node = id === undefined ? undefined : byId.get(id);
    if (node === undefined) return 'V8 and the system';
    const { functionName, url, lineNumber } = node.callFrame;
    if (functionName === '(idle)') return undefined;
    const path = url.endsWith('function.js') ? (modules[lineNumber] ?? '') : url || functionName;
    const [, part] = parts.find(([pattern]) => pattern.test(path)) ?? [];
    return part ?? partOf(parents.get(node.id));
  }
}

/** The profile that a process left in a folder. */
export function readProfile(folder: string): CpuProfile {
  const [file = ''] = readdirSync(folder);
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

/** Which module each line of a bundle is of; esbuild names it above, unless it minifies. */
function modulesByLine(bundle: string): string[] {
  let module = '';
  return bundle.split('\n').map((line) => {
    const [, path] = /^\s*\/\/ ((?:\.\.\/)*(?:\S*node_modules|shared|functions|lib)\/\S+)$/.exec(line) ?? [];
    module = path ?? module;
    return module;
  });
}
