import type { Population } from './populations.ts';

/** The least of everything. */
export const small: Population = { users: 10, accesses: 10, applications: 1, keysPerApplication: 1, rolesPerUser: 0 };
const million = 1_000_000;

/** Each differs from the first in one respect; by the names of their tables. */
export const populations = {
  'growth-small': small,
  'growth-10000-users': { ...small, users: 10_000, accesses: 10_000 },
  'growth-1000000-users': { ...small, users: million, accesses: million },
  'growth-1000-applications': { ...small, applications: 1000 },
  'growth-10-keys': { ...small, keysPerApplication: 10 },
  'growth-200-roles': { ...small, rolesPerUser: 200 },
} as const satisfies Record<string, Population>;

export type Name = keyof typeof populations;
export const names = Object.keys(populations) as Name[];

export type ByName<T> = Readonly<Record<Name, T>>;

/** One of something for each table. */
export function byName<T>(make: (name: Name) => T): Record<Name, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>;
}
