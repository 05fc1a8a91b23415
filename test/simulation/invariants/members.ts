import type { Run } from '../run-seed.ts';
import { accessEntryOf, accessOf, isAccess, memberOf } from '../stored-state.ts';

/**
 * Checks that exactly the unexpired grants are listed under their role, and exactly the accesses under their
 * application.
 */
export function checkMembers(run: Run): string[] {
  return [...wrongMembers(run), ...wrongEntries(run)];
}

function wrongEntries({ items }: Run): string[] {
  const line = ({ appId, userId }: { appId: string; userId: string }) => `the access of ${userId} in ${appId}`;
  const accesses = new Set(items.filter(isAccess).map((item) => line(accessOf(item))));
  const entries = new Set(
    items
      .map(accessEntryOf)
      .filter((entry) => entry !== undefined)
      .map(line),
  );
  return [
    ...[...accesses].filter((access) => !entries.has(access)).map((access) => `${access} has no entry`),
    ...[...entries].filter((entry) => !accesses.has(entry)).map((entry) => `${entry} has an entry and is gone`),
  ];
}

function wrongMembers({ items, endedAt }: Run): string[] {
  const isOver = (end: string | null) => end !== null && Date.parse(end) <= endedAt;
  const grants = items.filter(isAccess).flatMap((item) => {
    const { userId, appId, roles } = accessOf(item);
    return Object.entries(roles).map(([role, { expiresAt }]) => ({ appId, role, userId, expiresAt }));
  });
  const members = items.map(memberOf).filter((member) => member !== undefined);
  const line = ({ appId, role, userId, expiresAt }: (typeof members)[number]) =>
    `${appId} ${role} ${userId} until ${expiresAt}`;
  const granted = new Set(grants.map(line));
  const listed = new Set(members.map(line));
  return [
    ...grants
      .filter((grant) => !isOver(grant.expiresAt) && !listed.has(line(grant)))
      .map((grant) => `${line(grant)} is not listed`),
    ...members
      .filter((member) => !isOver(member.expiresAt) && !granted.has(line(member)))
      .map((member) => `${line(member)} is listed and not granted`),
  ];
}
