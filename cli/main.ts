#!/usr/bin/env node
import { run } from './run.ts';

// A reader such as head that has seen enough is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await run(process.argv.slice(2), process);
