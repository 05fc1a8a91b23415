import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/** The state of an OpenID provider (oidc-provider, `Adapter`), kept as long as this process; the provider judges expiry. */
export function createMemoryAdapter(): AdapterFactory {
  const stored = new Map<string, AdapterPayload>();
  const findBy = (model: string, matches: (payload: AdapterPayload) => boolean) =>
    [...stored].find(([key, payload]) => key.startsWith(`${model} `) && matches(payload))?.[1];
  return (model): Adapter => ({
    upsert: async (id, payload) => void stored.set(`${model} ${id}`, payload),
    find: async (id) => stored.get(`${model} ${id}`),
    findByUid: async (uid) => findBy(model, (payload) => payload.uid === uid),
    findByUserCode: async (userCode) => findBy(model, (payload) => payload.userCode === userCode),
    consume: async (id) =>
      void Object.assign(stored.get(`${model} ${id}`) ?? {}, { consumed: Math.floor(Date.now() / 1000) }),
    destroy: async (id) => void stored.delete(`${model} ${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key);
    },
  });
}
