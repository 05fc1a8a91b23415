import { jest } from '@jest/globals';
import { repairPage } from './repair-pages.ts';
import { operatorContext } from './stored-items.ts';
import type { TableInMemory } from './table-in-memory.ts';

export type Stored = Record<string, unknown> & { readonly pk: string; readonly sk: string };

export const isChange = ({ sk }: Stored): boolean => sk.startsWith('CHANGE#');

/** What a takeover does to a table in memory, and the repair after it. */
export function tornWrites(memory: TableInMemory) {
  const items = () => memory.table.items() as Stored[];
  const remove = ({ pk, sk }: Pick<Stored, 'pk' | 'sk'>) =>
    memory.table.writeAll([{ kind: 'Delete', input: { Key: { pk, sk } } }]);
  return {
    items,
    remove,
    changes: (action: string) => items().filter((item) => isChange(item) && item.action === action),

    /** Of a write, a takeover brings only the items that `comes` names; returns all items as they were with the whole write. */
    async tear(write: () => Promise<unknown>, comes: (item: Stored) => boolean): Promise<readonly Stored[]> {
      const before = new Map(items().map((item) => [`${item.pk} ${item.sk}`, item]));
      await Promise.all([write(), jest.runAllTimersAsync()]);
      const whole = items();
      const after = new Map(whole.map((item) => [`${item.pk} ${item.sk}`, item]));
      for (const [key, item] of new Map([...before, ...after])) {
        const earlier = before.get(key);
        if (comes(item) || JSON.stringify(earlier) === JSON.stringify(after.get(key))) continue;
        if (earlier !== undefined) memory.put(earlier);
        else remove(item);
      }
      return whole;
    },

    /** Repairs everything; returns what it found. */
    async repair(): Promise<string[]> {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const repairing = repairPage({ limit: 100, cursor }, operatorContext);
        const [page] = await Promise.all([repairing, jest.runAllTimersAsync()]);
        found.push(...page.findings.map(({ kind }) => kind));
        cursor = page.cursor ?? undefined;
      } while (cursor !== undefined);
      return found;
    },
  };
}
