import { describe } from '@jest/globals';
import { type Door, doors, type Manage, type ManageOptions } from './manage-client.ts';
import type { Answer } from './send-request.ts';

/** Asks the Management API by one of its doors. */
export type Ask = (
  method: string,
  path: string,
  body?: ManageOptions['body'],
  headers?: ManageOptions['headers'],
) => Promise<Answer>;

/** Describes what holds alike for everyone who comes in, whatever the door. */
export function describeAtEachDoor(manage: Manage, describeIt: (ask: Ask, door: Door) => void): void {
  describe.each(doors)('by the door %s', (door) => {
    describeIt((method, path, body, headers = {}) => manage(door, method, path, { body, headers }), door);
  });
}

/** Every other row by each of the doors: for long tables of values, which are judged behind the doors anyway. */
export function inTurns<const Row>(door: Door, rows: readonly Row[]): Row[] {
  return rows.filter((_, n) => doors[n % doors.length] === door);
}
