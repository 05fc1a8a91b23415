import { hash } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { LocalError } from './local-error.ts';

/** The environment variables that set ports. */
export type PortVariable = 'PORT' | 'MANAGE_PORT' | 'OIDC_PORT';

/** Listens on 127.0.0.1 and returns the port; if it is in use, throws a LocalError that names the variable to set. */
export async function listenOn(server: Server, port: number, variable: PortVariable = 'PORT'): Promise<number> {
  if (!(await listen(server, { host: '127.0.0.1', port }))) {
    throw new LocalError(
      `Port ${port} is in use: stop the other program, or choose another port, such as ${variable}=3100 npm start.`,
    );
  }
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
 * Locks a folder against a second local run until this process exits, even by a crash: Linux releases an abstract
 * socket with its last holder (unix(7)). Other systems need no lock, because the emulator does not run there.
 */
export async function lockFolder(folder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const lock = createServer();
  if (!(await listen(lock, { path: `\0auth-service-${hash('sha256', folder)}` }))) {
    throw new LocalError(`Another npm start uses the folder ${folder}: stop it, or choose another folder with --data.`);
  }
  lock.unref();
}

/** Returns false if the address is in use. */
function listen(server: Server, options: ListenOptions): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(options, () => resolve(true));
  });
}
