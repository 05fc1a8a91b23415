import { ServiceError } from '#shared/core/errors.ts';

/** Refuses a change by a caller who has seen another version (`If-Match`); undefined is any. */
export function refuseOtherVersion(what: string, version: number, ifMatch: readonly number[] | undefined): void {
  if (ifMatch === undefined || ifMatch.includes(version)) return;
  throw new ServiceError('version_mismatch', {
    detail: `The ${what} is at version ${version}. Read it again and decide anew.`,
    members: { version },
  });
}
