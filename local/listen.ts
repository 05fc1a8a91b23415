import { hash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { join } from 'node:path';
import { LocalError } from './local-error.ts';

/** The lock of a data folder, where the system has none that ends with its process. */
const lockFile = 'lock';

/** An environment variable that sets a port; options add their own. */
export type PortVariable = 'PORT' | `${string}_PORT`;

/** Listens on 127.0.0.1 and returns the port; if it is not free, throws a LocalError that names the variable to set. */
export async function listenOn(server: Server, port: number, variable: PortVariable = 'PORT'): Promise<number> {
  const problem = await listen(server, { host: '127.0.0.1', port });
  const another = `choose another port, such as ${variable}=3100 npm start.`;
  if (problem === 'EADDRINUSE') throw new LocalError(`Port ${port} is in use: stop the other program, or ${another}`);
  if (problem !== undefined) throw new LocalError(`Port ${port} cannot be used (${problem}): ${another}`);
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Stops listening and closes all connections. */
export async function closeServer(server: HttpServer): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}

/** Finds a free port on 127.0.0.1: the given one, or any for 0; throws a LocalError if it is in use. */
export async function findFreePort(port = 0, variable: PortVariable = 'PORT'): Promise<number> {
  const probe = createServer();
  const found = await listenOn(probe, port, variable);
  await new Promise((resolve) => probe.close(resolve));
  return found;
}

/**
 * Locks a folder against a second local run until this process exits, even by a crash. Linux releases an abstract socket with its
 * last holder (unix(7)); elsewhere a file has the id of the process.
 */
export async function lockFolder(folder: string, platform: string = process.platform): Promise<void> {
  if (platform !== 'linux') return lockByFile(folder);
  const lock = createServer();
  if ((await listen(lock, { path: `\0auth-service-${hash('sha256', folder)}` })) !== undefined) throw inUse(folder);
  lock.unref();
}

/** The lock of a process that is gone is replaced. */
function lockByFile(folder: string): void {
  const path = join(folder, lockFile);
  const holder = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
  if (holder > 0 && holder !== process.pid && isRunning(holder)) throw inUse(folder);
  writeFileSync(path, String(process.pid));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function inUse(folder: string): LocalError {
  return new LocalError(`Another npm start uses the folder ${folder}: stop it, or choose another folder with --data.`);
}

/** Returns the code of the error for which it does not listen; undefined if it does. */
function listen(server: Server, options: ListenOptions): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(options, () => resolve(undefined));
  });
}
