import './prepare-process.ts';
import { runCommand } from './command-line.ts';

// Only a worker started by this project has the channel; everything else is the command.
process.once('disconnect', () => process.exit());
process.exitCode = await runCommand(process.argv.slice(2));
if (process.connected) process.disconnect();
