// Runs in a process of its own: loads a function and, on request, invokes it so often with so many in flight; tells the
// CPU and the wall time that it took, garbage collection and compilation included.
const [file, event] = process.argv.slice(2);
const { handler } = require(file);
const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 10_000 };
// Where the log goes costs nothing on Lambda either, but its making does.
process.stdout.write = () => true;

process.on('message', async ({ requests, inFlight }) => {
  let left = requests;
  const worker = async () => {
    while (left-- > 0) {
      const { statusCode } = await handler(JSON.parse(event), context);
      if (statusCode !== 200) throw new Error(`Answered ${statusCode}`);
    }
  };
  const cpu = process.cpuUsage();
  const startedAt = process.hrtime.bigint();
  await Promise.all(Array.from({ length: inFlight }, worker));
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
  const { user, system } = process.cpuUsage(cpu);
  process.send({ cpuMicroseconds: (user + system) / requests, requestsPerSecond: requests / seconds });
});
// So that a profile of it is written.
process.on('disconnect', () => process.exit());
