#!/usr/bin/env node
import { runCommandLine } from './program.ts';
import { followProxy } from './service/environment-proxy.ts';

// EPIPE: a reader such as head has closed the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
const warning = followProxy(process.env);
if (warning !== undefined) console.error(warning);
process.exitCode = await runCommandLine(process.argv.slice(2), process);
