import * as v from 'valibot';
import { ServiceError } from '#shared/core/errors.ts';
import { isJsonObject } from '#shared/core/json-object.ts';

/*
 * Requests of the AuthZEN Authorization API 1.0 (https://openid.net/specs/authorization-api-1_0.html). Unknown
 * members are ignored, as the standard asks; the `properties` of an entity and the `context` are checked for their type only.
 */

/** The most questions that one request may ask. */
export const maxEvaluations = 33;

const text = v.pipe(v.string('must be text'), v.minLength(1, 'must not be empty'));
/** Written out, because valibot's `record` also accepts lists. */
const map = v.custom<object>(isJsonObject, 'must be an object');
const entity = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(map, v.object({ ...entries, properties: v.exactOptional(map) }));
const subject = entity({ type: text, id: text });
const action = entity({ name: text });
const resource = entity({ type: text, id: text });

const questionSchema = v.object({ subject, action, resource, context: v.exactOptional(map) });

/** May the subject perform the action on the resource? */
export type Question = Omit<v.InferOutput<typeof questionSchema>, 'context'>;

const semantics = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const;
export type Semantic = (typeof semantics)[number];

const batchSchema = v.object({
  evaluations: v.exactOptional(
    v.pipe(v.array(v.unknown(), 'must be a list'), v.maxLength(maxEvaluations, tooMany())),
    [],
  ),
  options: v.exactOptional(
    v.pipe(
      map,
      v.object({
        evaluations_semantic: v.exactOptional(
          v.picklist(semantics, `must be one of ${semantics.join(', ')}`),
          'execute_all',
        ),
      }),
    ),
    {},
  ),
});

/** A question that cannot be answered, and what is wrong with it. */
export interface Fault {
  readonly fault: string;
}

/** One question, or several with the rule that says after which answer no more are given. */
export type EvaluationsRequest =
  | { readonly question: Question }
  | { readonly questions: readonly (Question | Fault)[]; readonly semantic: Semantic };

/** The question of `POST /access/v1/evaluation`; 400 for anything else, with the member that is wrong. */
export function readEvaluation(body: unknown): Question {
  const read = readQuestion(body);
  if ('fault' in read) throw invalid(read.fault);
  return read;
}

/**
 * The questions of `POST /access/v1/evaluations`. The entities of the request stand in, as a whole, for those that a question
 * lacks. Without questions the request itself is one. A malformed question is a fault of its own, unless it is the only one.
 */
export function readEvaluations(body: unknown): EvaluationsRequest {
  requireMap(body);
  const { success, output, issues } = v.safeParse(batchSchema, body);
  if (!success) throw invalid(describe(issues[0]));
  if (output.evaluations.length === 0) return { question: readEvaluation(body) };
  const defaults = Object.fromEntries(
    Object.entries(body).filter(([name]) => Object.hasOwn(questionSchema.entries, name)),
  );
  const questions = output.evaluations.map((each) =>
    readQuestion(isJsonObject(each) ? { ...defaults, ...each } : each),
  );
  return { questions, semantic: output.options.evaluations_semantic ?? 'execute_all' };
}

function readQuestion(value: unknown): Question | Fault {
  if (!isJsonObject(value)) return { fault: 'The evaluation must be a JSON object.' };
  const { success, output, issues } = v.safeParse(questionSchema, value);
  return success ? output : { fault: describe(issues[0]) };
}

function describe(issue: v.BaseIssue<unknown>): string {
  const place = v.getDotPath(issue) ?? 'The body';
  return issue.input === undefined ? `${place} is missing.` : `${place} ${issue.message}.`;
}

function requireMap(body: unknown): asserts body is object {
  if (!isJsonObject(body)) throw invalid('The body must be a JSON object.');
}

function tooMany(): string {
  return `must have at most ${maxEvaluations} items`;
}

function invalid(detail: string): ServiceError {
  return new ServiceError('invalid_request', { detail });
}
