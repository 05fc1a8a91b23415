import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';

const request = globalThis.fetch;

/** A proxy that runs in a folder of its own. */
export interface RunningProxy {
  readonly url: string;
  stop(): Promise<void>;
}

export interface ProxyOptions {
  /** Where it listens, which its configuration says too. */
  readonly port: number;
  /** A file of certificate authorities that it trusts as those of the system. */
  readonly authorities: string;
}

/** Starts Debian's nginx with a file of `conf.d`. */
export async function runNginx(file: string, { port }: ProxyOptions): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  // Its workers do not run as the user who starts it.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'logs'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1;
events {}
http {
  access_log off; ${temporary}
${file}
}`,
  );
  return started({ folder, port, program: 'nginx', args: ['-p', folder, '-c', join(folder, 'nginx.conf')] });
}

/** Starts Debian's Caddy with a site of a Caddyfile. */
export async function runCaddy(site: string, { port, authorities }: ProxyOptions): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'caddy-'));
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, `{\n  admin off\n  auto_https off\n  default_bind 127.0.0.1\n}\n${site}`);
  const args = ['run', '--config', file, '--adapter', 'caddyfile'];
  return started({ folder, port, program: 'caddy', args, env: { SSL_CERT_FILE: authorities } });
}

interface Started {
  readonly folder: string;
  readonly port: number;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

async function started({ folder, port, program, args, env }: Started): Promise<RunningProxy> {
  const environment = { ...process.env, ...env, HOME: folder, XDG_CONFIG_HOME: folder };
  const proxy: ChildProcess = spawn(program, args, { stdio: 'ignore', env: environment });
  const url = `http://127.0.0.1:${port}/`;
  await eventually(
    () => request(url).catch(() => undefined),
    (answer) => answer !== undefined || proxy.exitCode !== null,
  );
  const log = join(folder, 'error.log');
  if (proxy.exitCode !== null) throw new Error(`${program} ended. ${existsSync(log) ? readFileSync(log, 'utf8') : ''}`);
  return {
    url,
    stop: async () => {
      const ended = new Promise((resolve) => proxy.once('exit', resolve));
      if (proxy.kill()) await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
