import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { writeWhole } from '#shared/files/whole-file.ts';
import { settingsSchema } from './client-settings.ts';

const userSchema = v.object({
  Username: v.string(),
  /** Cognito's own id, a UUID. */
  sub: v.string(),
  attributes: v.record(v.string(), v.string()),
  Enabled: v.boolean(),
  UserStatus: v.picklist(['FORCE_CHANGE_PASSWORD', 'CONFIRMED']),
  /** Dates are in seconds since 1970, as in Cognito's answers. */
  UserCreateDate: v.number(),
  UserLastModifiedDate: v.number(),
});
const clientSchema = v.object({
  ClientId: v.string(),
  /** What a request has set, and Cognito's default for everything else. */
  settings: v.object({ ...settingsSchema.entries, ClientName: v.string() }),
  /** The style of its pages. */
  style: v.optional(v.looseObject({})),
  secrets: v.array(v.object({ id: v.string(), value: v.string(), createdAt: v.number() })),
  CreationDate: v.number(),
  LastModifiedDate: v.number(),
});
const fileSchema = v.object({ users: v.array(userSchema), clients: v.array(clientSchema) });

/** A user of the pool. */
export type PoolUser = v.InferOutput<typeof userSchema>;

/** An app client of the pool, as it is kept. */
export type StoredClient = v.InferOutput<typeof clientSchema>;

/** The pool's id, and where it is kept. */
export interface StandInPoolOptions {
  readonly id: string;
  /** The file that has the pool after a restart. Default: none. */
  readonly file?: string | undefined;
  /** Called with the `sub` of a user whose sessions and refresh tokens end. */
  readonly onSignOut?: ((sub: string) => void) | undefined;
}

/** The users and app clients of a Cognito user pool whose alias is the e-mail address, in memory and in one file. */
export class StandInPool {
  readonly id: string;
  /** By their names, which are case-sensitive, in the order of their creation. */
  readonly users: Map<string, PoolUser>;
  readonly clients: Map<string, StoredClient>;
  readonly #options: StandInPoolOptions;

  constructor(options: StandInPoolOptions) {
    const { users, clients } = readPool(options.file);
    this.id = options.id;
    this.users = new Map(users.map((user) => [user.Username, user]));
    this.clients = new Map(clients.map((client) => [client.ClientId, client]));
    this.#options = options;
  }

  /** The user with this `sub`. */
  findBySub(sub: string): PoolUser | undefined {
    return [...this.users.values()].find((user) => user.sub === sub);
  }

  /** The user whose verified e-mail address this is, without regard to case. */
  findByEmail(email: string): PoolUser | undefined {
    return [...this.users.values()].find(
      ({ attributes }) =>
        attributes.email_verified === 'true' && attributes.email?.toLowerCase() === email.toLowerCase(),
    );
  }

  /** Ends the sessions and refresh tokens of a user. */
  signOut(sub: string): void {
    this.#options.onSignOut?.(sub);
  }

  /** Writes the whole pool to its file. */
  save(): void {
    const { file } = this.#options;
    if (file === undefined) return;
    const content = { users: [...this.users.values()], clients: [...this.clients.values()] };
    writeWhole(file, `${JSON.stringify(content, null, 2)}\n`, { isDurable: false });
  }
}

function readPool(file: string | undefined): v.InferOutput<typeof fileSchema> {
  if (file === undefined || !existsSync(file)) return { users: [], clients: [] };
  return v.parse(fileSchema, JSON.parse(readFileSync(file, 'utf8')));
}

/** The present, as Cognito writes dates: seconds since 1970 with three decimals. */
export function cognitoNow(): number {
  return Date.now() / 1000;
}
