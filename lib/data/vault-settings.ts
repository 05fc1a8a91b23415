import type { Construct } from 'constructs';

/** What the second account keeps, and for how long. */
export interface VaultSettings {
  /** The account whose backups are kept: 12 digits. */
  readonly sourceAccount: string;
  /** Days for which what is stored cannot be deleted. */
  readonly minRetentionDays: number;
  /**
   * `governance`: anyone who may delete the lock can delete backups, and who may bypass it objects. `compliance`: after three
   * days nobody can, not even AWS, and the lock is permanent; that of objects is so from the beginning.
   */
  readonly lock: 'governance' | 'compliance';
}

/** Adds what an option keeps in the second account to its stack. */
export type AddToVaultStack = (stack: Construct, settings: VaultSettings) => void;
