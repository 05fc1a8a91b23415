import {
  findRolesAnywhere,
  maxRoleApplications,
  maxRoleHolders,
  type RoleHolder,
} from '#client/management/roles-anywhere.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { countOf } from '#shared/contract/wording.ts';
import { createHoldersFile } from '#shared/csv/holder-table.ts';
import { writeWhole } from '#shared/files/whole-file.ts';
import type { CommandContext } from '../service/command-context.ts';
import { pageQuery } from '../service/show-pages.ts';
import { notWritten } from '../terminal/cli-error.ts';
import { formatExpiry } from '../terminal/format-time.ts';
import { type Column, createTable } from '../terminal/print-table.ts';
import { progressOf } from '../terminal/terminal.ts';

const columns: readonly Column<RoleHolder>[] = [
  { title: 'USER', cell: ({ userId }) => userId },
  { title: 'NAME', isText: true, rank: 3, cell: ({ displayName }) => displayName ?? '-' },
  { title: 'EMAIL', isText: true, rank: 4, cell: ({ email }) => email ?? '-' },
  { title: 'APPLICATION', rank: 1, cell: ({ appId }) => appId },
  { title: 'UNTIL', isText: true, rank: 2, cell: ({ expiresAt }) => formatExpiry(expiresAt) },
];

export interface HolderOptions {
  readonly csv?: string;
}

/** Prints or writes who has a role of this name, in all applications, sorted by user. */
export async function showHolders(context: CommandContext<HolderOptions>, role: string): Promise<void> {
  const { options, terminal, show } = context;
  const { holders, applications, isCut } = await readHolders(context, role);
  holders.sort((one, other) => compare(one.userId, other.userId) || compare(one.appId, other.appId));
  if (options.csv !== undefined) writeFile(options.csv, createHoldersFile(role, holders));
  const users = countOf(new Set(holders.map(({ userId }) => userId)).size, 'user');
  const found = `${users} with the role ${role} in ${countOf(new Set(holders.map(({ appId }) => appId)).size, 'application')}`;
  const isWritten = options.csv !== undefined;
  show(
    { role, items: holders, definedIn: applications, isComplete: !isCut },
    ...(isWritten ? [`Wrote ${found} to ${options.csv}.`] : createTable(columns, terminal)(holders)),
  );
  if (options.json) return;
  if (!isWritten) terminal.note(`${found}; defined in ${applications.length.toLocaleString('en')}.`);
  if (applications.length === 0) terminal.note('No application has a role of this name. Names are case-sensitive.');
  if (isCut) {
    const limits = [countOf(maxRoleApplications, 'application'), countOf(maxRoleHolders, 'holder')].join(' and ');
    terminal.note(`Not complete: at most ${limits} are read.`);
  }
}

function writeFile(file: string, content: string): void {
  try {
    writeWhole(file, content, { mode: 0o666 });
  } catch (cause) {
    throw notWritten(file, cause);
  }
}

async function readHolders({ client, terminal }: CommandContext, role: string) {
  const holders: RoleHolder[] = [];
  const applications: string[] = [];
  const progress = progressOf(terminal);
  const page = (cursor: string | undefined) => pageQuery(maxPageSize, cursor);
  try {
    const { isCut } = await findRolesAnywhere(
      {
        listApplications: (cursor) => client.call('list-applications', { query: page(cursor) }),
        listRoles: (appId, cursor) => client.call('list-roles', { path: { appId }, query: page(cursor) }),
        listMembers: (appId, name, cursor) =>
          client.call('list-members', { path: { appId, role: name }, query: page(cursor) }),
      },
      {
        role,
        onProgress: ({ done, total }, found) => {
          progress.show(`${done.toLocaleString('en')} of ${countOf(total, 'application')}`);
          holders.push(...(found?.holders ?? []));
          for (const one of found?.roles ?? []) if (one.role === role) applications.push(one.appId);
        },
      },
    );
    return { holders, applications: applications.sort(compare), isCut };
  } finally {
    progress.end();
  }
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
