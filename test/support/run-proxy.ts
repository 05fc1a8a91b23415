import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

const request = globalThis.fetch;

/** A proxy that runs in a folder of its own. */
export interface RunningProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts Debian's nginx with these lines in its one server; `files` are beside its configuration. */
export async function runNginx(lines: string, files: Readonly<Record<string, string>> = {}): Promise<RunningProxy> {
  const [folder, port] = [mkdtempSync(join(tmpdir(), 'nginx-')), await freePort()];
  // Its workers do not run as the user who starts it.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'logs'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1;
events {}
http {
  access_log off; ${temporary}
  server { listen 127.0.0.1:${port};
${lines}
  }
}`,
  );
  return started(folder, port, 'nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')]);
}

/** Starts Debian's Caddy with these lines in its one site. */
export async function runCaddy(lines: string): Promise<RunningProxy> {
  const [folder, port] = [mkdtempSync(join(tmpdir(), 'caddy-')), await freePort()];
  writeFileSync(
    join(folder, 'Caddyfile'),
    `{
  admin off
  auto_https off
}
http://127.0.0.1:${port} {
${lines}
}`,
  );
  return started(folder, port, 'caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']);
}

async function started(folder: string, port: number, program: string, args: readonly string[]): Promise<RunningProxy> {
  const environment = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder };
  const proxy: ChildProcess = spawn(program, args, { stdio: 'ignore', env: environment });
  const url = `http://127.0.0.1:${port}/`;
  await eventually(
    () => request(url).catch(() => undefined),
    (answer) => answer !== undefined,
  );
  return {
    url,
    stop: async () => {
      const ended = new Promise((resolve) => proxy.once('exit', resolve));
      if (proxy.kill()) await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
