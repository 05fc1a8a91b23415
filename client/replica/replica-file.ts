import { encodeText } from '../client-key.ts';
import type { ClientInternals } from '../create-send.ts';
import type { ReplicaState } from './decide-locally.ts';
import type { KnownAt } from './service-clock.ts';

/** The data that a replica stores for its next start. */
export interface StoredReplica {
  readonly state: ReplicaState;
  readonly knownAt: KnownAt;
  /** Whether the service has rejected the key since. */
  readonly isRefused: boolean;
}

/** The file of a replica; a file of another service, application or secret is invalid. */
export interface ReplicaFile {
  /** Undefined if there is no file. Throws if it is damaged or belongs to another replica. */
  read(): Promise<StoredReplica | undefined>;
  /** Replaces the file atomically, or throws and leaves it unchanged. */
  write(stored: StoredReplica): Promise<void>;
}

const macBytes = 32;
const algorithm = { name: 'HMAC', hash: 'SHA-256' };

/** Opens the file. Throws a TypeError on a platform without files. `readKey` and `origin` are those of the client. */
export function openReplicaFile(path: string, appId: string, { origin, readKey }: ClientInternals): ReplicaFile {
  const { subtle } = crypto;
  const files = readFileSystem();

  /** A separate key, derived from the secret and a text that no signature covers. */
  async function readMacKey() {
    const label = encodeText(`auth-service replica file 1\n${origin}\n${appId}`);
    const secret = await subtle.sign('HMAC', await (await readKey()).secret, label);
    return subtle.importKey('raw', secret, algorithm, false, ['sign', 'verify']);
  }

  return {
    async read() {
      const bytes = await files.readFile(path).catch((error) => {
        if (error.code !== 'ENOENT') throw error;
        return undefined;
      });
      if (!bytes) return undefined;
      const content = bytes.subarray(0, -macBytes);
      if (await subtle.verify('HMAC', await readMacKey(), bytes.subarray(-macBytes), content))
        return parse(new TextDecoder().decode(content));
      throw new TypeError('The file is damaged, or belongs to another key, application or service');
    },
    async write(stored) {
      const temporary = `${path}.${crypto.randomUUID()}`;
      try {
        const content = await contentOf(stored);
        const handle = await files.open(temporary, 'wx', 0o600);
        try {
          await handle.writeFile(new Uint8Array(content));
          await handle.writeFile(new Uint8Array(await subtle.sign('HMAC', await readMacKey(), content)));
          // Otherwise a power failure could leave an empty file under the new name.
          await handle.sync();
        } finally {
          await handle.close();
        }
        await files.rename(temporary, path);
      } catch (error) {
        await files.rm(temporary, { force: true });
        throw error;
      }
    },
  };
}

/** JSON Lines: the general data, then the facts of each user. */
async function contentOf({ state, knownAt, isRefused }: StoredReplica): Promise<ArrayBuffer> {
  const { users, ...members } = state;
  const lines = [`${JSON.stringify({ state: members, knownAt, isRefused })}\n`];
  for (const entry of users) {
    // Yields to the application between chunks.
    if (lines.push(`${JSON.stringify(entry)}\n`) % 1000 === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  return new Blob(lines).arrayBuffer();
}

function parse(text: string): StoredReplica {
  const [first = '', ...lines] = text.trimEnd().split('\n');
  const { state, ...others } = JSON.parse(first);
  return { ...others, state: { ...state, users: new Map(lines.map((line) => JSON.parse(line))) } };
}

/** The members of `node:fs/promises` that are used. */
interface FileSystem {
  readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  open(path: string, flags: string, mode: number): Promise<FileHandle>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { readonly force: boolean }): Promise<void>;
}

interface FileHandle {
  writeFile(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

interface Platform {
  readonly process?: { getBuiltinModule?(name: string): FileSystem | undefined };
}

/** Not imported, so that the module loads on platforms without it. */
function readFileSystem(): FileSystem {
  const files = (globalThis as Platform).process?.getBuiltinModule?.('node:fs/promises');
  if (files) return files;
  throw new TypeError('file needs Node 20.16 or newer, Deno or Bun');
}
