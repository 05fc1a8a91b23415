import './prepare-process.ts';
import { runCommand } from './command-line.ts';

// Only a process has the channel that was started by another one of this project, and nobody else waits for its result.
process.once('disconnect', () => process.exit());
process.exitCode = await runCommand(process.argv.slice(2));
if (process.connected) process.disconnect();
