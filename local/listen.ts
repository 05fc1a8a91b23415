import { hash } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { LocalError } from './local-error.ts';

/** The environment variables that choose ports. */
export type PortVariable = 'PORT' | 'MANAGE_PORT' | 'OIDC_PORT';

/** Starts listening on 127.0.0.1 and answers the port; a taken one is a LocalError that says which variable moves it. */
export async function listenOn(server: Server, port: number, variable: PortVariable = 'PORT'): Promise<number> {
  if (!(await listen(server, { host: '127.0.0.1', port }))) {
    throw new LocalError(
      `Port ${port} is taken: end what listens there, or choose another, as in ${variable}=3100 npm start.`,
    );
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Stops listening and breaks off what is under way. */
export async function closeServer(server: HttpServer): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}

/** A port of 127.0.0.1 that nothing listens on: the given one, or any when it is 0; a taken one is a LocalError. */
export async function findFreePort(port = 0, variable: PortVariable = 'PORT'): Promise<number> {
  const probe = createServer();
  const found = await listenOn(probe, port, variable);
  await new Promise((resolve) => probe.close(resolve));
  return found;
}

/**
 * Keeps a second local run away from a folder while this process lives, however it dies: Linux frees an abstract
 * socket with its last holder (unix(7)). Elsewhere there is no emulator that could write the same file twice.
 */
export async function holdFolder(folder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const holder = createServer();
  if (!(await listen(holder, { path: `\0auth-service-${hash('sha256', folder)}` }))) {
    throw new LocalError(
      `Another npm start keeps its data in ${folder}: end it, or choose another folder with --data.`,
    );
  }
  holder.unref();
}

/** False if the address is in use. */
function listen(server: Server, options: ListenOptions): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(options, () => resolve(true));
  });
}
