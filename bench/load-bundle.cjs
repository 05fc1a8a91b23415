// Runs in a fresh process: loads one bundle and prints the moment at which it was loaded, in nanoseconds of the machine's monotonic clock.
require(process.argv[2]);
process.stdout.write(String(process.hrtime.bigint()));
