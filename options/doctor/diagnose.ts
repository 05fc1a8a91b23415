import { createTable, recordLines } from '#cli/terminal/print-table.ts';
import { printable, type Style } from '#cli/terminal/terminal.ts';
import { compareBases, type Difference, describeDifference } from '#shared/signature/base.ts';
import { candidateBases, shownBase } from '#shared/signature/verify.ts';
import { type Check, type RefusalCode, runChecks } from './checks.ts';
import { findMistakes } from './find-mistakes.ts';
import type { MistakeId } from './mistakes.ts';
import type { HttpRequest } from './read-http-request.ts';
import type { DoctorKey } from './read-key.ts';
import { readLeniently } from './read-leniently.ts';
import { receiveRequest } from './receive-request.ts';

/** The parts of the service's verdict on a request that can be decided offline. */
export interface Diagnosis {
  readonly accepted: boolean;
  /** The error code that the service would answer; null if it accepts the signature. */
  readonly code: RefusalCode | null;
  readonly checks: readonly Check[];
  /** Each signed line, and where the service reads its value. */
  readonly components: readonly Component[];
  /** The base that the service computes; null if the headers cannot be parsed. */
  readonly signatureBase: string | null;
  readonly mistakes: readonly MistakeId[];
  /** The first line in which the signed base and the service's base differ; null if none is known. */
  readonly difference: Difference | null;
}

interface Component {
  readonly name: string;
  readonly value: string;
  readonly from: string;
}

export interface DiagnosisOptions {
  readonly key: DoctorKey;
  /** By the service's clock. */
  readonly at: Date;
  /** The `signatureBase` in the service's response. */
  readonly answered: string | undefined;
}

export function diagnose(request: HttpRequest, { key, at, answered }: DiagnosisOptions): Diagnosis {
  const received = receiveRequest(request);
  const reading = readLeniently(received.message);
  const { parsed } = reading;
  const signed = parsed && findMistakes(received, parsed, key.secret);
  const [canonical] = parsed === undefined ? [] : candidateBases(received.message, parsed);
  // The encoding that was signed, if it is an equivalent one.
  const computed = signed?.mistakes.length === 0 ? signed.base : canonical;
  const mistakes = [reading.mistake, ...(signed?.mistakes ?? [])].filter((mistake) => mistake !== undefined);
  const checks = runChecks({ received, reading, key, at, mistakes: signed?.mistakes ?? [] });
  const code = checks.find((check) => check.code !== undefined)?.code ?? null;
  return {
    accepted: code === null,
    code,
    checks,
    components: (parsed?.components ?? []).map((name, index) => component(name, computed?.split('\n')[index])),
    signatureBase: computed ?? null,
    mistakes,
    difference: findDifference({ signed: signed?.base, computed, answered }),
  };
}

function component(name: string, line = ''): Component {
  return {
    name,
    value: line.slice(`"${name}": `.length),
    from: sources[name] ?? 'the header, without surrounding white space',
  };
}

const sources: Readonly<Record<string, string>> = {
  '@method': 'the method as sent',
  '@authority': 'the host in lower case, with the port unless it is the default',
  '@path': 'the path as sent, without the query',
  '@query': '"?" and the query as sent',
  'content-digest': 'the header, compared with the bytes of the body',
};

interface Bases {
  /** The base that was signed, as the MAC proves. */
  readonly signed: string | undefined;
  readonly computed: string | undefined;
  readonly answered: string | undefined;
}

/** Equal bases mean that the service has a different secret, unless the shown base is truncated. */
function findDifference({ signed, computed, answered }: Bases): Difference | null {
  const whole = signed ?? (answered && computed);
  const theirs = answered ?? computed;
  if (whole === undefined || theirs === undefined) return null;
  const ours = answered === undefined ? whole : shownBase(whole);
  if (ours === theirs) return answered === undefined || ours !== whole ? null : compareBases(ours, theirs);
  const difference = compareBases(ours, theirs);
  // They differ only in a trailing line break.
  return difference.signed === difference.expected ? null : difference;
}

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
