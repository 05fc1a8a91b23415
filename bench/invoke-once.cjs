// Runs in a fresh process, as Lambda's runtime would: loads a function, invokes it once, and tells on descriptor 3 when,
// in nanoseconds of the machine's monotonic clock, and what it took.
const { readFileSync, writeSync } = require('node:fs');

const [file, event] = process.argv.slice(2);
const { handler } = require(file);
const loadedAt = process.hrtime.bigint();
const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 10_000 };
handler(JSON.parse(event), context).then(({ statusCode }) => {
  const answeredAt = process.hrtime.bigint();
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuMicroseconds = userCPUTime + systemCPUTime;
  // Of this program alone; the peak that the system calls count with began with that of the program which started it.
  const [, peakKilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'));
  const moments = { loadedAt: String(loadedAt), answeredAt: String(answeredAt) };
  const taken = { statusCode, ...moments, cpuMicroseconds, peakKilobytes: Number(peakKilobytes) };
  writeSync(3, JSON.stringify(taken));
  process.exit();
});
