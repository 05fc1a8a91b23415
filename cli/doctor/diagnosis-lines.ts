import { type Difference, describeDifference } from '#shared/signature/base.ts';
import { createTable, recordLines } from '../terminal/print-table.ts';
import type { Style } from '../terminal/terminal.ts';
import { printable } from '../terminal/terminal.ts';
import type { Check } from './checks.ts';
import type { Component, Diagnosis } from './diagnose.ts';

/** Formats a diagnosis as text: each check, the signature base, and the first difference. */
export function diagnosisLines(diagnosis: Diagnosis, style: Style): string[] {
  const { checks, components, signatureBase, difference, accepted } = diagnosis;
  const rows = checks.flatMap(checkRows);
  return [
    ...recordLines(rows),
    ...(signatureBase === null ? [] : ['', ...componentLines(components, style)]),
    ...(signatureBase === null ? [] : ['', 'The signature base that the service computes:', '']),
    ...(signatureBase?.split('\n').map(printable) ?? []),
    ...(difference === null ? [] : ['', `First difference: ${differenceLine(difference)}`]),
    ...(accepted ? ['', ...verdict] : []),
  ];
}

const verdict = [
  'The signature is valid with this secret. Only the service knows the state and the scopes of the key,',
  'and whether the nonce was used for another call.',
];

function checkRows({ name, found, code, fix }: Check): [string, string][] {
  const state = code === undefined ? 'ok   ' : 'WRONG';
  const row: [string, string] = [`${state}  ${name}`, found];
  return fix === undefined ? [row] : [row, ['', `Fix: ${fix}`]];
}

function componentLines(components: readonly Component[], style: Style): string[] {
  const table = createTable<Component>(
    [
      { title: 'COMPONENT', cell: ({ name }) => name },
      { title: 'FROM', cell: ({ from }) => from },
      { title: 'VALUE', cell: ({ value }) => value },
    ],
    // Not truncated, because a difference may be at the end.
    { style, columns: undefined },
  );
  return table(components);
}

/** One base may lack the line, and the difference may be an invisible character. */
function differenceLine({ signed = 'nothing', expected = 'nothing' }: Difference): string {
  return printable(describeDifference({ signed, expected }).replaceAll('\r', '\\r'));
}
