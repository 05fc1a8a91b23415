import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { signedHeaders } from './compare-history.ts';
import { startLocalService } from './measure-load.ts';
import { type BenchContext, type Measurement, markdownTable } from './measurement.ts';
import { median, spread } from './statistics.ts';

const rounds = 7;
const warmUps = 500;
const requestsPerRound = 500;
const inFlight = 20;

/** Something that says of one user what holds now. */
interface Candidate {
  readonly label: string;
  readonly url: string;
  /** Of each request, as ours has a signature of its own. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** What an answer contains. */
  readonly expected: string;
  /** The processes that work for it, with those of the groups that they lead. */
  readonly processes: readonly number[];
  stop(): Promise<void>;
}

interface Samples {
  readonly label: string;
  readonly milliseconds: number[];
  readonly cpuMicroseconds: number[];
}

/**
 * A GET of an access by `npm start`, a session by better-auth and a user by Parse, each with its database, on this machine.
 * Needs the npm registry, and `initdb` and `postgres` in the path, which run as the user `nobody` if this is root.
 */
export async function measureBeside({ directory, progress }: BenchContext): Promise<Measurement> {
  const folder = join(directory, 'beside');
  cpSync(join(import.meta.dirname, 'beside'), folder, { recursive: true });
  progress('Installing better-auth and Parse');
  const npm = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock'];
  execFileSync('npm', npm, { cwd: folder, stdio: 'ignore' });
  const versions = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies;
  const starts = [
    () => startOurs(join(directory, 'data')),
    () => startOther('better-auth', folder),
    () => startOther('parse', folder),
  ];
  const found: Samples[] = [];
  for (const start of starts) {
    const candidate = await start();
    progress(`${rounds} rounds of ${requestsPerRound} requests: ${candidate.label}`);
    try {
      found.push(await sampleCandidate(candidate));
    } finally {
      await candidate.stop();
    }
  }
  return { budgets: [], samples: { found }, report: [introduction(versions), table(found), promises] };
}

async function startOurs(data: string): Promise<Candidate> {
  const service = await startLocalService(data);
  const path = '/api/service/users/ada/access';
  return {
    label: 'this service, `GET access`',
    url: service.example.baseUrl + path,
    headers: () => signedHeaders(service.example, 'GET', path, ''),
    expected: '"effectiveStatus"',
    processes: service.processes,
    stop: service.stop,
  };
}

async function startOther(name: 'better-auth' | 'parse', folder: string): Promise<Candidate> {
  const database = await startPostgres();
  const child = spawn(process.execPath, [`${name}.mjs`], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', DATABASE_URL: database.url },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = await Promise.race([nextJson(lines), ended.then(([code]) => `ended with ${code}`)]);
  if (typeof line === 'string') throw new Error(`${name} ${line}`);
  const { url, headers, expected } = line;
  return {
    label: name === 'parse' ? 'Parse, `GET /users/me`' : 'better-auth, `GET /get-session`',
    url,
    headers: () => headers,
    expected,
    processes: [child.pid ?? 0, database.process],
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      await database.stop();
    },
  };
}

interface Told {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expected: string;
}

async function nextJson(lines: AsyncIterator<string>): Promise<Told | string> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) return 'told nothing';
    if (String(value).startsWith('{"url"')) return JSON.parse(value);
  }
}

/** A server with its defaults in a new folder, on a free port of loopback. */
async function startPostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-postgres-'));
  chmodSync(folder, 0o777);
  const data = join(folder, 'data');
  const port = String(await freePort());
  const asNobody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
  const run = (command: readonly string[]) => [...asNobody, ...command] as [string, ...string[]];
  const [initdb, ...options] = run(['initdb', '-D', data, '-U', 'bench', '-A', 'trust', '--locale=C', '-E', 'UTF8']);
  execFileSync(initdb, options, { stdio: 'ignore' });
  const [command, ...args] = run(['postgres', '-D', data, '-k', folder, '-h', '127.0.0.1', '-p', port]);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const ended = once(child, 'exit');
  for await (const line of createInterface(child.stderr)) if (line.includes('ready to accept connections')) break;
  child.stderr.resume();
  return {
    url: `postgres://bench@127.0.0.1:${port}/postgres`,
    process: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function sampleCandidate(candidate: Candidate): Promise<Samples> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const samples: Samples = { label: candidate.label, milliseconds: [], cpuMicroseconds: [] };
  await ask(candidate, agent, warmUps);
  for (let round = 0; round < rounds; round++) {
    const before = cpuMicrosecondsOf(candidate.processes);
    const times = await ask(candidate, agent, requestsPerRound);
    samples.cpuMicroseconds.push((cpuMicrosecondsOf(candidate.processes) - before) / requestsPerRound);
    samples.milliseconds.push(median(times));
  }
  agent.destroy();
  return samples;
}

/** Milliseconds of each of so many requests. */
async function ask(candidate: Candidate, agent: Agent, count: number): Promise<number[]> {
  const times: number[] = [];
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      const headers = candidate.headers();
      const startedAt = performance.now();
      const body = await get(candidate.url, agent, headers);
      times.push(performance.now() - startedAt);
      if (!body.includes(candidate.expected)) throw new Error(`${candidate.label} answered ${body}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return times;
}

async function get(url: string, agent: Agent, headers: Readonly<Record<string, string>>): Promise<string> {
  const sent = request(url, { agent, headers }).end();
  const [response] = await once(sent, 'response');
  return Buffer.concat(await response.toArray()).toString();
}

/** CPU time of these processes and of the groups that they lead (proc(5)). */
function cpuMicrosecondsOf(processes: readonly number[]): number {
  const stats = readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? readStat(pid) : []));
  const theirs = stats.filter(({ pid, group }) => processes.includes(pid) || processes.includes(group));
  return theirs.reduce((sum, { ticks }) => sum + ticks * 10_000, 0);
}

/** Nothing of a process that has ended meanwhile. Its ticks are hundredths of a second. */
function readStat(pid: string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name of the process, which may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return [{ pid: Number(pid), group: Number(fields[2]), ticks: Number(fields[11]) + Number(fields[12]) }];
  } catch {
    return [];
  }
}

const introduction = (versions: Readonly<Record<string, string>>) =>
  `Each says of one user what holds now, with ${inFlight} requests in flight, ${rounds} rounds of ${requestsPerRound}: \`npm start\` with its gateway
and its emulation of DynamoDB; better-auth ${versions['better-auth']} with its plugin \`admin\`; Parse Server ${versions['parse-server']}. The latter two on a PostgreSQL
with its defaults. CPU is that of all processes of each, its database among them. \`npm run bench -- --only beside\` installs them from
npm into a temporary folder, and needs \`initdb\` and \`postgres\` in the path.`;

function table(found: readonly Samples[]): string {
  const [ours] = found;
  return markdownTable(
    ['', 'µs of CPU', '/ ours', 'ms'],
    found.map(({ label, cpuMicroseconds, milliseconds }) => [
      label,
      spread(cpuMicroseconds, 0),
      (median(cpuMicroseconds) / median(ours?.cpuMicroseconds ?? [])).toFixed(2),
      spread(milliseconds, 1),
    ]),
  );
}

const promises = `Ours verifies a signature over each request and reads three items strongly consistent, so a revoked key and a block hold at
once; most of its time is the local gateway and the emulation, which a deployment does not have. better-auth and Parse look a session
token up: they log users in, which this service does not do, and leave out signatures of requests, roles by application, blocks that
end by themselves, and a record of each change. So the table says what such a check costs on one machine, and not which to choose.`;
