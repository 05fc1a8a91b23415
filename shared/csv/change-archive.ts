import type { Change } from '#shared/contract/change.ts';
import type { ChangeVerdict, PostedChange } from '#shared/contract/history.ts';
import type { KnownNames } from './change-table.ts';

/** The filters of an export. */
export type Selection = Readonly<
  Partial<Record<'since' | 'until' | 'action' | 'actor' | 'appId' | 'userId' | 'bulkId', string | undefined>>
>;

/** What is recorded of an export beside its changes. */
export interface ExportContext {
  /** The operator. */
  readonly verifiedBy: string;
  /** The URL of the service. */
  readonly service: string;
  readonly selection: Selection;
  /** Whether the export has all changes of the selection. */
  readonly isComplete: boolean;
  /** The applications to which the operator's roles are limited. Default: no limit. */
  readonly limitedTo?: readonly string[] | undefined;
}

/** The changes of an export, and what an archive is made with. */
export interface ArchiveRequest {
  /** As records, without what only an operator reads. */
  readonly changes: readonly Change[];
  readonly names: KnownNames;
  readonly context: ExportContext;
  /** Asks the service, which alone has the keys of the MACs, whether it wrote these changes. */
  readonly ask: (changes: readonly PostedChange[]) => Promise<readonly ChangeVerdict[]>;
  /** The current time. */
  readonly now: () => Date;
  /** Shows the progress. */
  readonly say: (progress: string) => void;
}

export interface WrittenArchive {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What was found, for people. */
  readonly summary: string;
  /** Whether all changes are as the service wrote them. */
  readonly isSound: boolean;
}

/** A format of exports that needs all changes at once, for a browser. */
export interface ArchiveFormat {
  /** In the menu. */
  readonly text: string;
  /** The media type. */
  readonly type: string;
  /** The number of changes that one archive can have. */
  readonly maxChanges: number;
  write(request: ArchiveRequest): Promise<WrittenArchive>;
}
