const most = 8;
let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs the preparations of a test, eight at a time however many are started: on a busy machine, more would take longer than a
 * request may take, which begins when its turn has come.
 */
export async function fewAtOnce<T>(run: () => Promise<T>): Promise<T> {
  if (running < most) running++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await run();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}
