// Loads a function in a new process, as Lambda's runtime does, and invokes it once. Writes to file descriptor 3 when it was
// loaded and when it answered (in nanoseconds of the machine's monotonic clock), its CPU time and its peak memory.
const { readFileSync, writeSync } = require('node:fs');

const [file, event] = process.argv.slice(2);
const { handler } = require(file);
const loadedAt = process.hrtime.bigint();
const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 10_000 };
handler(JSON.parse(event), context).then(({ statusCode }) => {
  const answeredAt = process.hrtime.bigint();
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuMicroseconds = userCPUTime + systemCPUTime;
  // getrusage's maximum would include the process that forked this one.
  const [, peakKilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'));
  const times = { loadedAt: String(loadedAt), answeredAt: String(answeredAt) };
  writeSync(3, JSON.stringify({ statusCode, ...times, cpuMicroseconds, peakKilobytes: Number(peakKilobytes) }));
  process.exit();
});
