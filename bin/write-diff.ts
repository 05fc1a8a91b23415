import { spawnSync } from 'node:child_process';

/** GitHub allows 65,536 characters in a comment, divided between the stages. */
const longestComment = 60_000;

/** `npm run -s diff -- <stage>…`: prints what a deployment would change in each stage, as Markdown. Changes nothing. */
const stages = process.argv.slice(2);
if (stages.length === 0) throw new Error('Name the stages: npm run -s diff -- staging prod');
console.log(stages.map(sectionOf).join('\n\n'));

function sectionOf(stage: string): string {
  const text = diffOf(stage);
  const summary = /^.*Number of stacks with differences: (\d+).*$/m.exec(text)?.[1] === '0' ? 'no changes' : 'changes';
  const longest = Math.floor(longestComment / stages.length);
  const shown = text.length > longest ? `${text.slice(0, longest)}\n… ${text.length - longest} more characters` : text;
  // A fence longer than any in the text, so that nothing in a template can close it.
  return `### \`${stage}\`: ${summary}\n\n<details><summary>cdk diff -c stage=${stage}</summary>\n\n~~~~~~text\n${shown}\n~~~~~~\n\n</details>`;
}

/** Compares only the templates: a change set would need permission to deploy. */
function diffOf(stage: string): string {
  const args = ['diff', '--method=template', '--context', `stage=${stage}`];
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
  const { status, error, stdout, stderr } = spawnSync('cdk', args, { encoding: 'utf8', env, maxBuffer: 64 * 2 ** 20 });
  if (error !== undefined) throw error;
  if (status === 0) return `${stderr}${stdout}`.trim();
  console.error(stderr);
  process.exit(1);
}
