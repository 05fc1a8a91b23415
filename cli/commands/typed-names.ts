import type { ApplicationView } from '#shared/contract/application.ts';
import { maxPageSize } from '#shared/contract/fields.ts';
import { readUpTo } from '#shared/contract/read-all.ts';
import type { RoleView } from '#shared/contract/role.ts';
import { namesOf, readDeployments } from '../service/deployments.ts';
import { findService, type ServiceOptions } from '../service/find-service.ts';
import { createManageClient } from '../service/manage-client.ts';
import { pageQuery } from '../service/show-pages.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A word that the shell can offer. */
export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** Which of a kind of names: for roles, those of the application that was typed; and the service that was named. */
export interface NamesWanted {
  readonly kind: string;
  readonly appId: string | undefined;
  readonly options: ServiceOptions;
}

/** More are not offered: a shell shows them all at once. */
const maxNames = 500;
/** The Tab key does not wait longer. */
const timeoutSeconds = 2;

/** The names that the service or the settings know, for an argument or option of this kind; none if they cannot be read. */
export async function namesFor({ kind, appId, options }: NamesWanted, terminal: Terminal): Promise<Candidate[]> {
  if (kind === 'deployment') return namesOf(readDeployments(terminal.env)).map((word) => ({ word, description: '' }));
  const client = createManageClient({
    service: () => findService(options, terminal),
    note: () => undefined,
    timeoutSeconds,
    maxAttempts: 1,
  });
  try {
    if (kind === 'app') {
      const { items } = await readUpTo<ApplicationView>(maxNames, (cursor) =>
        client.call('list-applications', { query: pageQuery(maxPageSize, cursor) }),
      );
      return items.map(({ appId: word, name }) => ({ word, description: name === word ? '' : name }));
    }
    if (kind !== 'role' || appId === undefined) return [];
    const { items } = await readUpTo<RoleView>(maxNames, (cursor) =>
      client.call('list-roles', { path: { appId }, query: pageQuery(maxPageSize, cursor) }),
    );
    return items.map(({ role: word, description }) => ({ word, description: description ?? '' }));
  } catch {
    // A completion must not write over the line that is typed.
    return [];
  }
}
