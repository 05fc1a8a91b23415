import { beforeAll, expect, jest, test } from '@jest/globals';
import {
  environmentManager,
  focusManager,
  MutationObserver,
  onlineManager,
  QueryObserver,
} from '@tanstack/react-query';
import { createQueryClient, queryKeys } from '../../dashboard/api/queries.ts';

// On a server, the library has other defaults: no retries, and no garbage collection.
beforeAll(() => environmentManager.setIsServer(() => false));

test('drops the secret of an issued key from the cache when its dialog closes', async () => {
  const client = createQueryClient();
  const dialog = new MutationObserver(client, { mutationFn: async () => ({ secret: 'svs_secret' }) });
  const close = dialog.subscribe(() => undefined);
  await dialog.mutate();
  close();
  await timers();
  expect(client.getMutationCache().getAll()).toEqual([]);
});

test('drops data from the cache once it is no longer on the screen', async () => {
  const client = createQueryClient();
  const page = new QueryObserver(client, { queryKey: queryKeys.user('ada'), queryFn: async () => 'ada' });
  const leave = page.subscribe(() => undefined);
  await timers();
  expect(client.getQueryData(queryKeys.user('ada'))).toBe('ada');
  leave();
  await timers();
  expect(client.getQueryCache().getAll()).toEqual([]);
});

test('returning to the tab or going online does not replace the version that the operator saw', async () => {
  const client = createQueryClient();
  client.mount();
  const queryFn = jest.fn(async () => 'version 1');
  const page = new QueryObserver(client, { queryKey: queryKeys.user('ada'), queryFn });
  const leave = page.subscribe(() => undefined);
  await timers();
  for (const is of [false, true]) {
    focusManager.setFocused(is);
    onlineManager.setOnline(is);
    await timers();
  }
  expect(queryFn).toHaveBeenCalledTimes(1);
  leave();
  client.unmount();
});

test('does not retry a failed request automatically', async () => {
  jest.useFakeTimers();
  const client = createQueryClient();
  const queryFn = jest.fn(async () => {
    throw new Error('refused');
  });
  const page = new QueryObserver(client, { queryKey: queryKeys.user('ada'), queryFn });
  const leave = page.subscribe(() => undefined);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(queryFn).toHaveBeenCalledTimes(1);
  expect(page.getCurrentResult()).toMatchObject({ status: 'error', fetchStatus: 'idle' });
  leave();
  jest.useRealTimers();
});

test('a request fails at once while offline', async () => {
  onlineManager.setOnline(false);
  const queryFn = async () => {
    throw new Error('no network');
  };
  const page = new QueryObserver(createQueryClient(), { queryKey: queryKeys.user('ada'), queryFn });
  const leave = page.subscribe(() => undefined);
  await timers();
  expect(page.getCurrentResult()).toMatchObject({ status: 'error', error: { message: 'no network' } });
  leave();
  onlineManager.setOnline(true);
});

test('a write fails at once while offline, and is not sent later', async () => {
  onlineManager.setOnline(false);
  const mutationFn = jest.fn(async () => {
    throw new Error('no network');
  });
  const dialog = new MutationObserver(createQueryClient(), { mutationFn });
  await expect(dialog.mutate()).rejects.toThrow('no network');
  onlineManager.setOnline(true);
  await timers();
  expect(mutationFn).toHaveBeenCalledTimes(1);
});

test("invalidating a user covers only that user's access and history", () => {
  const client = createQueryClient();
  const keys = [
    queryKeys.user('ada'),
    queryKeys.userAccess('ada'),
    queryKeys.userChanges('ada'),
    queryKeys.user('alan'),
  ];
  for (const key of keys) client.setQueryData(key, {});
  void client.invalidateQueries({ queryKey: queryKeys.user('ada') });
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, true, false]);
});

/** The cache drops unobserved data in a timer of 0 ms. */
function timers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
