import './prepare-process.ts';
import { runCommand } from './command-line.ts';

process.exitCode = await runCommand(process.argv.slice(2));
