import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';

/** Runs in a process of its own, so that nothing else is in its CPU time: asks bundles one by one and measures. */
interface Batch {
  readonly id: number;
  readonly asks: readonly { readonly file: string; readonly event: unknown }[];
}

type Handler = (event: unknown, context: object) => Promise<{ statusCode: number; body?: string }>;

const requireBundle = createRequire(import.meta.url);

process.on('message', async ({ id, asks }: Batch) => {
  const handlers = asks.map(({ file }) => requireBundle(file).handler as Handler);
  const answers: { status: number; body: string | undefined; milliseconds: number }[] = [];
  const before = process.cpuUsage();
  for (const [at, { event }] of asks.entries()) {
    const startedAt = performance.now();
    const answer = await handlers[at]?.(event, { awsRequestId: String(at), getRemainingTimeInMillis: () => 10_000 });
    const milliseconds = performance.now() - startedAt;
    answers.push({ status: answer?.statusCode ?? 0, body: answer?.body, milliseconds });
  }
  const { user, system } = process.cpuUsage(before);
  process.send?.({ id, answers, cpuMicroseconds: user + system });
});
