import { type Item, joined, type Key } from '../../../local/memory/memory-table.ts';
import type { Commit } from '../simulated-dynamodb.ts';

interface Version {
  readonly at: number;
  readonly item: Item | undefined;
}

/** The stored versions of each item, with their times. */
export class Histories {
  readonly #versions = new Map<string, Version[]>();

  constructor(commits: readonly Commit[]) {
    for (const { at, mutations } of commits) {
      for (const { pk, sk, after } of mutations) this.#versionsOf({ pk, sk }).push({ at, item: after });
    }
  }

  /** Returns the versions of an item from the first instant to the last. */
  during(key: Key, from: number, to: number): (Item | undefined)[] {
    const versions = this.#versionsOf(key);
    const before = versions.findLast(({ at }) => at < from)?.item;
    return [before, ...versions.filter(({ at }) => at >= from && at <= to).map(({ item }) => item)];
  }

  /** Returns the versions of several items that were stored together, at each instant from the first to the last. */
  together(keys: readonly Key[], from: number, to: number): (Item | undefined)[][] {
    const histories = keys.map((key) => this.#versionsOf(key));
    const before = histories.map((versions) => versions.findLast(({ at }) => at < from)?.item);
    const instants = histories
      .flatMap((versions) => versions.map(({ at }) => at))
      .filter((at) => at >= from && at <= to);
    const at = (instant: number) => histories.map((versions) => versions.findLast((one) => one.at <= instant)?.item);
    return [before, ...[...new Set(instants)].map(at)];
  }

  /** Returns the same for every item that meets the condition. */
  allDuring(isMeant: (item: Item) => boolean, from: number, to: number): Item[] {
    return [...this.#versions.values()].flatMap((versions) => {
      const before = versions.findLast(({ at }) => at < from);
      const all = [before, ...versions.filter(({ at }) => at >= from && at <= to)];
      return all.flatMap((version) => (version?.item !== undefined && isMeant(version.item) ? [version.item] : []));
    });
  }

  #versionsOf(key: Key): Version[] {
    const versions = this.#versions.get(joined(key)) ?? [];
    this.#versions.set(joined(key), versions);
    return versions;
  }
}
