/** A promise that is settled from outside. */
export interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

/** Like `Promise.withResolvers`, which platforms of 2022 lack. A rejection that nobody waits for is not reported. */
export function createDeferred(): Deferred {
  let [resolve, reject] = [() => {}, (_: unknown) => {}];
  const promise = new Promise<void>((...settle) => {
    [resolve, reject] = settle;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
