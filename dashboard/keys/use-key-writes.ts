import { useWriter } from '../session/dashboard-context.ts';
import type { KeyOwner, KeyWrites } from './key-owner.ts';

/** Issues, labels, rotates and revokes the keys of an owner. */
export function useKeyWrites(owner: KeyOwner): KeyWrites {
  return owner.writesWith(useWriter());
}
