import type { TestService } from './start-service.ts';

/**
 * Returns the keys of all items that contain the id, except nonces, which name no user, and records of erased users.
 */
export async function tracesOf(service: TestService, id: string): Promise<string[]> {
  const items = [...(await service.items({ keyUses: true })).entries()].filter(
    ([key]) => !key.startsWith('NONCE#') && !key.includes('CHANGE#ERASED#'),
  );
  return items
    .filter(([, item]) => JSON.stringify(item).includes(`${id}"`) || JSON.stringify(item).includes(`${id}#`))
    .map(([key]) => key);
}
