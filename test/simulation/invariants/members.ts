import type { Run } from '../run-seed.ts';
import { accessOf, isAccess, memberOf } from '../stored-state.ts';

/** Each grant that has not ended is listed under its role, and nothing else is. */
export function checkMembers({ items, endedAt }: Run): string[] {
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
