import type { ApplicationView } from '#shared/contract/application.ts';
import { createCsv } from './write-csv.ts';

/** What is counted of an application. */
export interface CountedApplication {
  /** The users whom a setting blocks. */
  readonly blocked: number;
  readonly keys: { readonly active: number; readonly expiring: number };
}

/** An application with what is counted of it. */
export type ListedApplication = ApplicationView & { readonly counted?: CountedApplication | undefined };

/** Applications as CSV, for a spreadsheet. */
export function createApplicationsFile(applications: readonly ListedApplication[]): string {
  const { head, lines } = createCsv<ListedApplication>([
    { title: 'appId', cell: ({ appId }) => appId },
    { title: 'name', cell: ({ name }) => name },
    { title: 'rolloutPercent', cell: ({ rolloutPercent }) => String(rolloutPercent) },
    { title: 'requireReason', cell: ({ requireReason }) => requireReason ?? '' },
    { title: 'blocked', cell: ({ counted }) => String(counted?.blocked ?? '') },
    { title: 'activeKeys', cell: ({ counted }) => String(counted?.keys.active ?? '') },
    { title: 'keysExpiringSoon', cell: ({ counted }) => String(counted?.keys.expiring ?? '') },
    { title: 'reviewedAt', cell: ({ reviewedAt }) => reviewedAt ?? '' },
    { title: 'reviewDueAt', cell: ({ reviewDueAt }) => reviewDueAt ?? '' },
    { title: 'createdAt', cell: ({ createdAt }) => createdAt },
    { title: 'updatedAt', cell: ({ updatedAt }) => updatedAt },
  ]);
  return head + lines(applications);
}
