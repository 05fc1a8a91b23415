import { type Item, joined } from '../../../local/memory/memory-table.ts';
import type { Run } from '../run-seed.ts';
import type { SnapshotReader } from '../snapshot-reader.ts';
import { accessKey, accessOf, applicationKey, isLive, rolloutOf, userKey, userOf } from '../stored-state.ts';
import { bounds } from '../swarm.ts';

/** Checks that a reader who reads the snapshot during changes and then follows them has the stored state. */
export function checkSnapshot({ items, snapshotReaders, endedAt, swarm }: Run): string[] {
  const stored = new Map(items.map((item) => [joined(item as { pk: string; sk: string }), item]));
  return snapshotReaders
    .filter(({ isRefused, follower }) => !isRefused && follower !== undefined)
    .flatMap((reader) => [
      ...(reader.total === reader.entries.length ? [] : [`${reader.total} entries, and ${reader.entries.length} came`]),
      ...rolloutDifferences(reader, stored),
      ...(swarm?.users ?? []).flatMap((userId) => differences(reader, userId, { stored, endedAt })),
    ]);
}

function rolloutDifferences(reader: SnapshotReader, stored: ReadonlyMap<string, Item>): string[] {
  const application = stored.get(joined(applicationKey(reader.appId)));
  const copied = reader.copy().rolloutPercent;
  if (!isLive(application) || rolloutOf(application) === copied) return [];
  return [`${reader.appId} is open to ${rolloutOf(application)} %, and copied as ${copied} %`];
}

interface Table {
  readonly stored: ReadonlyMap<string, Item>;
  readonly endedAt: number;
}

function differences(reader: SnapshotReader, userId: string, { stored, endedAt }: Table): string[] {
  const { appId } = reader;
  const item = stored.get(joined(userKey(userId)));
  const copied = reader.copy().stateOf(userId);
  const user = userOf(item);
  if (!isLive(user)) {
    // The copy ignores an id that never existed.
    const isWrong = item !== undefined && !copied.erased;
    return isWrong ? [`${userId} in ${appId} was erased, and is copied`] : [];
  }
  const access = stored.get(joined(accessKey(userId, appId)));
  const { status, until, roles } = access === undefined ? noAccess : accessOf(access);
  const isHeld = (end: string | null) => end === null || Date.parse(end) > endedAt + bounds.skewMilliseconds;
  const held = Object.entries(roles).map(([role, { expiresAt }]) => ({ role, expiresAt }));
  const copiedRoles = copied.roles.map(([role, { value }]) => ({ role, expiresAt: value.expiresAt }));
  const live = (list: typeof held) =>
    list
      .filter(({ expiresAt }) => isHeld(expiresAt))
      .map(textOf)
      .sort();
  const expected = textOf([false, user.status, status, until, live(held)]);
  const actual = textOf([copied.erased, copied.status, copied.setting.status, copied.setting.until, live(copiedRoles)]);
  return expected === actual ? [] : [`${userId} in ${appId} is ${expected}, and copied as ${actual}`];
}

const noAccess = { status: null, until: null, roles: {} };

function textOf(value: unknown): string {
  return JSON.stringify(value);
}
