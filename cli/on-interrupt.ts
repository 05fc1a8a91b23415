/** The terminal sends Ctrl-C to npm and to this process, and npm passes its own on: only a later one is a second one. */
const echoMilliseconds = 500;

/** Lets the first Ctrl-C or SIGTERM be a wish, which `work` can ask for; the second one ends the process. */
export async function onInterrupt<Result>(
  say: () => void,
  work: (interrupted: () => boolean) => Promise<Result>,
): Promise<Result> {
  let firstAt: number | undefined;
  const stop = () => {
    if (firstAt !== undefined && Date.now() - firstAt > echoMilliseconds) process.exit(130);
    if (firstAt === undefined) say();
    firstAt ??= Date.now();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    return await work(() => firstAt !== undefined);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
