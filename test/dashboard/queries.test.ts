import { beforeAll, expect, jest, test } from '@jest/globals';
import {
  environmentManager,
  focusManager,
  MutationObserver,
  onlineManager,
  QueryObserver,
} from '@tanstack/react-query';
import { createQueryClient, queryKeys } from '../../dashboard/api/queries.ts';

// What runs on a server has defaults of its own: no retries, and nothing dropped.
beforeAll(() => environmentManager.setIsServer(() => false));

test('the secret of an issued key is dropped from the cache with the dialog that asked for it', async () => {
  const client = createQueryClient();
  const dialog = new MutationObserver(client, { mutationFn: async () => ({ secret: 'svs_secret' }) });
  const close = dialog.subscribe(() => undefined);
  await dialog.mutate();
  close();
  await timers();
  expect(client.getMutationCache().getAll()).toEqual([]);
});

test('what is no longer on the screen is dropped from the cache', async () => {
  const client = createQueryClient();
  const page = new QueryObserver(client, { queryKey: queryKeys.user('ada'), queryFn: async () => 'ada' });
  const leave = page.subscribe(() => undefined);
  await timers();
  expect(client.getQueryData(queryKeys.user('ada'))).toBe('ada');
  leave();
  await timers();
  expect(client.getQueryCache().getAll()).toEqual([]);
});

test('coming back to the tab or online does not replace the version that the operator saw', async () => {
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

test('a request that fails is not repeated without the operator', async () => {
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

test('a request without a network fails at once', async () => {
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

test('a write without a network fails at once, and is not sent later', async () => {
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

test('invalidating a user covers the access and the history, and no other user', () => {
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

/** The cache drops what nobody observes in a timer of 0 ms. */
function timers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
