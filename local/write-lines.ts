/** How long a line is buffered, so that many are written together. */
const waitMilliseconds = 20;

/** Writes lines to standard output in batches; buffered lines are flushed when the process exits. */
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
