import { chainChange } from '#shared/integrity/change-mac.ts';
import { storedChange } from './stored-items.ts';

/** Complete stored changes with the MAC of this run's root, as the service writes them; the parts that a test sets are valid. */
export async function chainedChange(given: Parameters<typeof storedChange>[0] = {}) {
  const { latestChainKey } = await import('#shared/keys/chain-keys.ts');
  const { integrity: _, ...change } = storedChange(given);
  return chainChange(change, { previous: null, salt: 'AAECAwQFBgcICQoLDA0ODw' }, await latestChainKey());
}
