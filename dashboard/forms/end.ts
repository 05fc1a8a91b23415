/** When something ends: after a while, at a moment in the operator's own time, or never. */
export const endChoices = ['hour', 'day', 'moment', 'never'] as const;
export type EndChoice = (typeof endChoices)[number];

export interface End {
  readonly choice: EndChoice;
  /** `YYYY-MM-DD` and `hh:mm`, of a moment. */
  readonly day: string;
  readonly time: string;
}

export const noEnd: End = { choice: 'never', day: '', time: '' };

/** The moment of an end as the service takes it, `null` for none; undefined as long as it is not complete. */
export function momentOf({ choice, day, time }: End, now: number): string | null | undefined {
  switch (choice) {
    case 'never':
      return null;
    case 'hour':
      return new Date(now + 3_600_000).toISOString();
    case 'day':
      return new Date(now + 86_400_000).toISOString();
    case 'moment': {
      // Without an offset it is read as local time (ECMAScript, Date Time String Format).
      const moment = new Date(`${day}T${time.length === 5 ? time : '--'}`);
      return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
    }
    default:
      return choice satisfies never;
  }
}
