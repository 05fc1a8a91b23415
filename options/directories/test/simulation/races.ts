import type { Clients } from '#test/simulation/clients.ts';
import type { Draw } from '#test/simulation/draw.ts';
import { wait } from '#test/simulation/virtual-time.ts';
import type { ScimBody, ScimCall, ScimRequest } from './directory.ts';

/** What two requests at once need of the directory that sends them. */
export interface Racer {
  readonly draw: Draw;
  readonly clients: Clients;
  /** The users of all callers. */
  readonly users: readonly string[];
  /** Those whom it manages, as far as it knows. */
  readonly managed: readonly string[];
  readonly userNames: readonly string[];
  /** The ids of the groups that it knows. */
  readonly groups: readonly string[];
  readonly groupNames: readonly string[];
  newUser(userId: string): ScimBody;
  send(request: ScimRequest): Promise<ScimCall>;
}

type Race = (racer: Racer) => Promise<readonly (() => Promise<unknown>)[]> | readonly (() => Promise<unknown>)[];

/** Sends two requests about the same user or group at once, the second of them a little later. */
export async function race(racer: Racer): Promise<void> {
  const { draw } = racer;
  const [first, ...others] = racer.groups.length > 0 && draw.chance(0.6) ? racesOfGroups : racesOfUsers;
  const sends = await draw.oneOf(first, ...others)(racer);
  const latest = draw.oneOf(0, 20, 200);
  await Promise.all(
    sends.map(async (send) => {
      if (latest > 0) await wait(draw.random() * latest);
      await send();
    }),
  );
}

/** Two replacements with other members each. */
const replaceTwice: Race = ({ draw, send, ...racer }) => {
  const path = groupPath(draw, racer.groups);
  const displayName = one(draw, racer.groupNames);
  return twoSets(draw, racer.managed).map((userIds) => {
    const body = { displayName, members: membersOf(userIds) };
    return () => send({ kind: 'replace-group', method: 'PUT', path, body });
  });
};

/** Two changes by clients who have read the same version. */
const changeSameVersion: Race = async ({ draw, send, ...racer }) => {
  const path = groupPath(draw, racer.groups);
  const ifMatch = versionOf(await send({ kind: 'read', method: 'GET', path, body: undefined }));
  const op = draw.oneOf('add', 'add', 'remove');
  return twoSets(draw, racer.managed).map((userIds) => {
    const body = { Operations: [{ op, path: 'members', value: membersOf(userIds) }] };
    return () => send({ kind: 'change-members', method: 'PATCH', path, body, ifMatch });
  });
};

const joinAndLeave: Race = ({ draw, send, ...racer }) => {
  const path = groupPath(draw, racer.groups);
  const value = membersOf([one(draw, managedBy(racer))]);
  return (['add', 'remove'] as const).map((op) => {
    const body = { Operations: [{ op, path: 'members', value }] };
    return () => send({ kind: 'change-members', method: 'PATCH', path, body });
  });
};

const joinWhileDeleted: Race = ({ draw, send, ...racer }) => {
  const path = groupPath(draw, racer.groups);
  const body = { Operations: [{ op: 'add', path: 'members', value: membersOf(managedBy(racer)) }] };
  return [
    () => send({ kind: 'change-members', method: 'PATCH', path, body }),
    () => send({ kind: 'remove-group', method: 'DELETE', path, body: undefined }),
  ];
};

/** The user leaves the directory, or is erased, while a group gets the user. */
const joinWhileRemoved: Race = ({ draw, send, clients, ...racer }) => {
  const path = groupPath(draw, racer.groups);
  const userId = one(draw, managedBy(racer));
  const body = { Operations: [{ op: 'add', path: 'members', value: membersOf([userId]) }] };
  const remove = () => send({ kind: 'remove-user', method: 'DELETE', path: `/Users/${userId}`, body: undefined });
  const erase = () => clients.call('delete-user', { userId });
  return [
    () => send({ kind: 'change-members', method: 'PATCH', path, body }),
    draw.oneOf<() => Promise<unknown>>(remove, remove, erase),
  ];
};

const createSameGroup: Race = ({ draw, send, groupNames }) => {
  const displayName = one(draw, groupNames);
  const create = () => send({ kind: 'create-group', method: 'POST', path: '/Groups', body: { displayName } });
  return [create, create];
};

const removeAndReturn: Race = ({ draw, send, newUser, ...racer }) => {
  const userId = one(draw, managedBy(racer));
  const body = { ...newUser(userId), active: true };
  return [
    () => send({ kind: 'remove-user', method: 'DELETE', path: `/Users/${userId}`, body: undefined }),
    () => send({ kind: 'create-user', method: 'POST', path: '/Users', body }),
  ];
};

/** The directory creates a user whom an operator creates too, or is erasing. */
const createTogether: Race = ({ draw, send, clients, newUser, users }) => {
  const userId = one(draw, users);
  const create = () => clients.call('create-user', { userId, displayName: null, email: null });
  const erase = () => clients.call('delete-user', { userId });
  return [
    () => send({ kind: 'create-user', method: 'POST', path: '/Users', body: newUser(userId) }),
    draw.oneOf<() => Promise<unknown>>(create, erase),
  ];
};

const activateAndDeactivate: Race = ({ draw, send, ...racer }) => {
  const path = `/Users/${one(draw, managedBy(racer))}`;
  return [false, true].map((active) => {
    const body = { Operations: [{ op: 'replace', value: { active } }] };
    return () => send({ kind: 'set-active', method: 'PATCH', path, body });
  });
};

/** A directory and an operator set the status of the same user. */
const setStatusTogether: Race = ({ draw, send, clients, ...racer }) => {
  const userId = one(draw, managedBy(racer));
  const body = { Operations: [{ op: 'replace', value: { active: draw.chance(0.5) } }] };
  const status = draw.oneOf('active', 'inactive');
  return [
    () => send({ kind: 'set-active', method: 'PATCH', path: `/Users/${userId}`, body }),
    () => clients.call('set-user-status', { userId, status, reason: null }),
  ];
};

/** Two users get the same name. */
const takeSameName: Race = ({ draw, send, ...racer }) => {
  const userName = one(draw, racer.userNames);
  const body = { Operations: [{ op: 'replace', value: { userName } }] };
  return racer.managed
    .slice(0, 2)
    .map((userId) => () => send({ kind: 'rename-user', method: 'PATCH', path: `/Users/${userId}`, body }));
};

/** Two changes of a user by clients who have read the same version. */
const renameSameVersion: Race = async ({ draw, send, ...racer }) => {
  const path = `/Users/${one(draw, managedBy(racer))}`;
  const ifMatch = versionOf(await send({ kind: 'read', method: 'GET', path, body: undefined }));
  return ['Ada King', 'Grace King'].map((displayName) => {
    const body = { Operations: [{ op: 'replace', value: { displayName } }] };
    return () => send({ kind: 'rename-user', method: 'PATCH', path, body, ifMatch });
  });
};

const racesOfGroups: readonly [Race, ...Race[]] = [
  replaceTwice,
  replaceTwice,
  changeSameVersion,
  changeSameVersion,
  joinAndLeave,
  joinWhileDeleted,
  joinWhileRemoved,
  createSameGroup,
];

const racesOfUsers: readonly [Race, ...Race[]] = [
  removeAndReturn,
  removeAndReturn,
  createTogether,
  activateAndDeactivate,
  setStatusTogether,
  takeSameName,
  renameSameVersion,
];

/** Somebody whom it manages, or anybody while it knows of none. */
function managedBy({ managed, users }: Pick<Racer, 'managed' | 'users'>): readonly string[] {
  return managed.length > 0 ? managed : users;
}

function groupPath(draw: Draw, groups: readonly string[]): string {
  return `/Groups/${one(draw, groups)}`;
}

/** Two sets of users that differ, whenever there are two users. */
function twoSets(draw: Draw, userIds: readonly string[]): (readonly string[])[] {
  const first = userIds.filter(() => draw.chance(0.5));
  const others = userIds.filter((userId) => !first.includes(userId));
  return [first, others.length > 1 && draw.chance(0.5) ? others.slice(1) : others];
}

function membersOf(userIds: readonly string[]) {
  return userIds.map((value) => ({ value }));
}

/** Of what was read; a version that there is not if nothing was. */
function versionOf({ outcome }: ScimCall): number {
  const { meta } = (outcome?.body ?? {}) as { readonly meta?: { readonly version: string } };
  return Number(meta?.version.slice(1, -1) ?? 0);
}

function one(draw: Draw, [first, ...others]: readonly string[]): string {
  if (first === undefined) throw new Error('There is nothing to choose from');
  return draw.oneOf(first, ...others);
}
