/** How long a line waits for others, so that many are written at once. */
const waitMilliseconds = 20;

/** Writes lines to standard output, those of a moment together; what waits is written when the process ends. */
export function createLineWriter(write: (text: string) => unknown = (text) => process.stdout.write(text)) {
  const waiting: string[] = [];
  const flush = () => {
    if (waiting.length > 0) write(`${waiting.splice(0).join('\n')}\n`);
  };
  process.once('exit', flush);
  return (line: string): void => {
    if (waiting.push(line) === 1) setTimeout(flush, waitMilliseconds);
  };
}
