import type { Knowledge } from './knowledge.ts';
import type { PollHealth } from './poll-health.ts';
import type { ReplicaCallbacks } from './replica-callbacks.ts';
import type { ReplicaFile } from './replica-file.ts';
import type { ServiceClock } from './service-clock.ts';

/** Writes a replica's data to its file, if it has one. Failures are reported, and the next time tries again. */
export interface Saver {
  /** Notes that the file does not have what is known now. */
  outdate(): void;
  /** Makes the next `saveIfDue` save, even if the last time was just now. */
  hurry(): void;
  /** Saves if the last time was a minute ago. */
  saveIfDue(): Promise<void>;
  /** Saves, unless the file already has what is known. */
  save(): Promise<void>;
}

/** What is saved, and where failures are reported. */
export interface SaverParts {
  readonly knowledge: Knowledge;
  readonly clock: ServiceClock;
  readonly health: PollHealth;
  readonly report: ReplicaCallbacks['report'];
}

const saveEveryMs = 60_000;

/** Begins as if the file had everything, because nothing newer is known before the first poll. */
export function createSaver({ knowledge, clock, health, report }: SaverParts, file: ReplicaFile | undefined): Saver {
  let savedAt = -saveEveryMs;
  let isSaved = true;

  async function save(): Promise<void> {
    const { state } = knowledge;
    if (!file || !state || isSaved) return;
    isSaved = true;
    savedAt = performance.now();
    await file.write({ state, knownAt: clock.knownAt(), isRefused: health.isRefused }).catch((error: unknown) => {
      isSaved = false;
      report('file', error);
    });
  }

  return {
    outdate() {
      isSaved = false;
    },
    hurry() {
      savedAt = -saveEveryMs;
    },
    async saveIfDue() {
      if (performance.now() - savedAt >= saveEveryMs) await save();
    },
    save,
  };
}
