import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** GitHub shows at most a mebibyte in the summary of a step, divided between the stages. */
const longestSummary = 900_000;

/**
 * `npm run -s diff -- <stage>…`: prints what a deployment would change in each deployed stage, as Markdown. Changes nothing.
 * With `--base <folder>`, a checkout of this project with its packages, it compares with the templates of that, and needs no
 * credentials.
 */
const { values, positionals: stages } = parseArgs({ allowPositionals: true, options: { base: { type: 'string' } } });
if (stages.length === 0) throw new Error('Name the stages: npm run -s diff -- staging prod');
console.log(stages.map(sectionOf).join('\n\n'));

function sectionOf(stage: string): string {
  const text = diffOf(stage);
  const summary = /^.*Number of stacks with differences: (\d+).*$/m.exec(text)?.[1] === '0' ? 'no changes' : 'changes';
  const longest = Math.floor(longestSummary / stages.length);
  const shown = text.length > longest ? `${text.slice(0, longest)}\n… ${text.length - longest} more characters` : text;
  // A fence longer than any in the text, so that nothing in a template can close it.
  return `### \`${stage}\`: ${summary}\n\n<details><summary>cdk diff -c stage=${stage}</summary>\n\n~~~~~~text\n${shown}\n~~~~~~\n\n</details>`;
}

/** Compares only the templates: a change set would need permission to deploy. */
function diffOf(stage: string): string {
  const args = ['diff', '--method=template', '--context', `stage=${stage}`];
  if (values.base === undefined) return runCdk(args);
  const folder = mkdtempSync(join(tmpdir(), 'auth-service-base-'));
  try {
    runCdk(['synth', '--quiet', '--output', folder, '--context', `stage=${stage}`], resolve(values.base));
    const template = readdirSync(folder).find((name) => name.endsWith('.template.json')) ?? '';
    return runCdk([...args, '--template', join(folder, template)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Exits if the command fails, so that nothing is printed that would look like a result. */
function runCdk(args: readonly string[], cwd = process.cwd()): string {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
  const { status, error, stdout, stderr } = spawnSync('cdk', args, {
    cwd,
    encoding: 'utf8',
    env,
    maxBuffer: 64 * 2 ** 20,
  });
  if (error !== undefined) throw error;
  if (status === 0) return `${stderr}${stdout}`.trim();
  console.error(stderr);
  process.exit(1);
}
