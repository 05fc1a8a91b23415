import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '#shared/core/errors.ts';
import { answerEvaluations, type Evaluation } from '../evaluation-answer.ts';
import { maxEvaluations, type Question, readEvaluation, readEvaluations } from '../evaluation-request.ts';

const question = (user = 'alice', action = 'read', record = 'record-1') => ({
  subject: { type: 'user', id: user },
  action: { name: action },
  resource: { type: 'record', id: record },
});
const refusal = (detail: string) => new ServiceError('invalid_request', { detail });

/** The Basic Core of the certification: Alice may read and write, Bob may read. */
const rights: Readonly<Record<string, readonly string[]>> = { alice: ['read', 'write'], bob: ['read'] };
const decide = ({ subject, action }: Question): Evaluation => ({
  decision: rights[subject.id]?.includes(action.name) ?? false,
  context: {},
});
const decisions = (body: unknown) => {
  const answer = answerEvaluations(readEvaluations(body), decide);
  return 'evaluations' in answer ? answer.evaluations.map(({ decision }) => decision) : answer.decision;
};

describe('one evaluation', () => {
  test('ignores unknown members, and accepts properties and a context', () => {
    const properties = { department: 'Sales', nested: { deep: [1] } };
    const asked = {
      subject: { ...question().subject, properties },
      action: { ...question().action, properties },
      resource: { ...question().resource, properties },
    };
    expect(readEvaluation({ ...asked, context: { time: 'now' }, future: 1 })).toMatchObject(asked);
    expect(readEvaluation(question())).toEqual(question());
  });

  test.each([
    ['no object', [], 'The body must be a JSON object.'],
    ['no object', 'text', 'The body must be a JSON object.'],
    ['nothing', undefined, 'The body must be a JSON object.'],
    ['nothing', null, 'The body must be a JSON object.'],
  ])('refuses %s', (_, body, detail) => {
    expect(() => readEvaluations(body)).toThrow(refusal(detail));
  });

  test.each(['subject', 'action', 'resource'])(
    'refuses a request without %s, or with one that is no object',
    (name) => {
      expect(() => readEvaluation({ ...question(), [name]: undefined })).toThrow(refusal(`${name} is missing.`));
      for (const wrong of ['alice', null, [], 1]) {
        const refused = () => readEvaluation({ ...question(), [name]: wrong });
        expect(refused).toThrow(refusal(`${name} must be an object.`));
      }
    },
  );

  test.each([
    ['subject', 'type'],
    ['subject', 'id'],
    ['action', 'name'],
    ['resource', 'type'],
    ['resource', 'id'],
  ] as const)('refuses %s.%s that is missing, empty or no text', (name, member) => {
    const refused = (value: unknown) => () =>
      readEvaluation({ ...question(), [name]: { ...question()[name], [member]: value } });
    expect(refused(undefined)).toThrow(refusal(`${name}.${member} is missing.`));
    expect(refused('')).toThrow(refusal(`${name}.${member} must not be empty.`));
    for (const wrong of [1, null, true, {}, ['a']]) {
      expect(refused(wrong)).toThrow(refusal(`${name}.${member} must be text.`));
    }
  });

  test('refuses properties and a context that are no objects', () => {
    expect(() => readEvaluation({ ...question(), context: 'now' })).toThrow(refusal('context must be an object.'));
    const subject = { ...question().subject, properties: [] };
    expect(() => readEvaluation({ ...question(), subject })).toThrow(refusal('subject.properties must be an object.'));
  });
});

describe('several evaluations', () => {
  test('answer in the order of the questions, without a decision of their own', () => {
    const evaluations = [question('alice', 'write'), question('bob', 'write'), question('bob', 'read')];
    const answer = answerEvaluations(readEvaluations({ evaluations }), decide);
    expect(decisions({ evaluations })).toEqual([true, false, true]);
    expect(answer).not.toHaveProperty('decision');
  });

  test('are one evaluation if there are none', () => {
    expect(decisions(question('bob', 'read'))).toBe(true);
    expect(decisions({ ...question('bob', 'write'), evaluations: [] })).toBe(false);
    expect(() => decisions({ evaluations: [] })).toThrow(refusal('subject is missing.'));
  });

  test('take the entities that they lack from the request, each as a whole', () => {
    const { subject, action } = question('bob', 'write');
    const { resource } = question();
    const alice = { subject: { type: 'user', id: 'alice' } };
    const partial = { subject: { id: 'alice' } };
    const evaluations = [{ resource }, { resource, ...alice }, { resource, action: { name: 'read' } }];
    expect(decisions({ subject, action, evaluations })).toEqual([false, true, true]);
    const faulty = answerEvaluations(readEvaluations({ subject, action, resource, evaluations: [partial] }), decide);
    expect(faulty).toEqual({
      evaluations: [{ decision: false, context: { error: { status: 400, message: 'subject.type is missing.' } } }],
    });
  });

  test('a malformed one is denied and does not affect the others', () => {
    const evaluations = [question(), { subject: 'alice' }, 'text', null, question()];
    expect(decisions({ evaluations })).toEqual([true, false, false, false, true]);
  });

  test.each([
    [undefined, [true, false, true, false]],
    ['execute_all', [true, false, true, false]],
    ['deny_on_first_deny', [true, false]],
    ['permit_on_first_permit', [true]],
  ])('with the semantic %s', (semantic, expected) => {
    const evaluations = ['alice', 'bob', 'alice', 'bob'].map((user) => question(user, 'write'));
    const options = semantic === undefined ? {} : { options: { evaluations_semantic: semantic } };
    expect(decisions({ evaluations, ...options })).toEqual(expected);
  });

  test('end at the first permit behind denials, and a malformed one is a denial', () => {
    const evaluations = [{}, question('bob', 'write'), question(), question()];
    const by = (semantic: string) => decisions({ evaluations, options: { evaluations_semantic: semantic } });
    expect(by('permit_on_first_permit')).toEqual([false, false, true]);
    expect(by('deny_on_first_deny')).toEqual([false]);
  });

  test('refuses unknown semantics, other types, and more questions than allowed', () => {
    const asked = { evaluations: [question()] };
    expect(() => readEvaluations({ ...asked, options: { evaluations_semantic: 'any' } })).toThrow(
      refusal('options.evaluations_semantic must be one of execute_all, deny_on_first_deny, permit_on_first_permit.'),
    );
    expect(() => readEvaluations({ ...asked, options: [] })).toThrow(refusal('options must be an object.'));
    expect(() => readEvaluations({ evaluations: {} })).toThrow(refusal('evaluations must be a list.'));
    const many = (count: number) => ({ evaluations: Array.from({ length: count }, () => question()) });
    expect(decisions(many(maxEvaluations))).toHaveLength(33);
    expect(() => readEvaluations(many(34))).toThrow(refusal('evaluations must have at most 33 items.'));
  });
});
