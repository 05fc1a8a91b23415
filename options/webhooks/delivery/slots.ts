/** Work in progress, each under a name. The first failure is thrown by the next wait. */
export class Slots {
  readonly #running = new Map<string, Promise<void>>();
  readonly #failures: unknown[] = [];

  get count(): number {
    return this.#running.size;
  }

  has(name: string): boolean {
    return this.#running.has(name);
  }

  start(name: string, work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => void this.#failures.push(error))
      .finally(() => this.#running.delete(name));
    this.#running.set(name, running);
  }

  /** Waits until some work has ended, or for so long. */
  async waitForOne(milliseconds: number): Promise<void> {
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, milliseconds);
    await Promise.race([...this.#running.values(), timeout.promise]);
    clearTimeout(timer);
    this.#throwFailure();
  }

  async waitForAll(): Promise<void> {
    await Promise.all(this.#running.values());
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failures.length > 0) throw this.#failures[0];
  }
}
