import type { EvaluationsRequest, Question, Semantic } from './evaluation-request.ts';

/** The answer to one question; a denial is an answer too, so both have the status 200. */
export interface Evaluation {
  readonly decision: boolean;
  /** Why. */
  readonly context: Readonly<Record<string, unknown>>;
}

export interface Evaluations {
  readonly evaluations: readonly Evaluation[];
}

/** The answer to a request: that of its one question, or those of its questions in their order. */
export function answerEvaluations(
  request: EvaluationsRequest,
  decide: (question: Question) => Evaluation,
): Evaluation | Evaluations {
  if ('question' in request) return decide(request.question);
  const answers: Evaluation[] = [];
  for (const question of request.questions) {
    const answer = 'fault' in question ? faultAnswer(question.fault) : decide(question);
    answers.push(answer);
    if (isLast(answer, request.semantic)) break;
  }
  return { evaluations: answers };
}

/** A malformed question is denied, and does not affect the others (AuthZEN 1.0, errors of the Access Evaluations API). */
function faultAnswer(message: string): Evaluation {
  return { decision: false, context: { error: { status: 400, message } } };
}

/** Whether no more answers follow this one. */
function isLast({ decision }: Evaluation, semantic: Semantic): boolean {
  switch (semantic) {
    case 'execute_all':
      return false;
    case 'deny_on_first_deny':
      return !decision;
    case 'permit_on_first_permit':
      return decision;
    default:
      return semantic satisfies never;
  }
}
