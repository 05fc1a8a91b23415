/** Whom the login page offers; any other name may be typed. */
export const operators = [
  { id: 'edith', name: 'Edith Clarke' },
  { id: 'katherine', name: 'Katherine Johnson' },
] as const;

/** What an OpenID provider knows of an operator; whoever has a name is one. */
export function describeOperator(id: string) {
  const name = operators.find((operator) => operator.id === id)?.name ?? id;
  return { sub: id, name, email: `${id}@example.com`, email_verified: true };
}

/** Whether a name can be an operator's. */
export function isOperatorId(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text);
}
