/** An item in native JavaScript values, as the document client reads and writes it; immutable. */
export type Item = Readonly<Record<string, unknown>>;

/** The expressions of one DynamoDB request. */
export interface Expressions {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** DynamoDB's error for an invalid request. */
export class ValidationError extends Error {
  override readonly name = 'ValidationException';
}

type Operand = (item: Item, given: Expressions) => unknown;
type Test = (item: Item, given: Expressions) => boolean;

/** Whether a condition holds for an item; a missing item has no attributes. */
export function holds(condition: string | undefined, item: Item | undefined, given: Expressions): boolean {
  if (condition === undefined) return true;
  return parsed(condition, parseCondition)(item ?? {}, given);
}

/** The item after `SET …`, `REMOVE …` and `ADD …`. */
export function updated(update: string, item: Item, given: Expressions): Item {
  return parsed(update, parseUpdate)(item, given);
}

/** Requires that every used placeholder is defined, and every defined one used, as DynamoDB does. */
export function requirePlaceholders(texts: readonly (string | undefined)[], given: Expressions): void {
  const used = new Set(texts.flatMap((text = '') => text.match(/[#:]\w+/g) ?? []));
  const known = [...Object.keys(given.names), ...Object.keys(given.values)];
  for (const name of used) if (!known.includes(name)) throw new ValidationError(`${name} is not defined`);
  for (const name of known) if (!used.has(name)) throw new ValidationError(`${name} is not used`);
}

const cache = new Map<string, unknown>();

function parsed<T>(text: string, parse: (tokens: Tokens) => T): T {
  const known = cache.get(text);
  if (known !== undefined) return known as T;
  const tokens = new Tokens(text);
  const result = parse(tokens);
  tokens.requireEnd();
  cache.set(text, result);
  return result;
}

const tokenPattern = /\s*(#[^\s,()=<>]+|:[^\s,()=<>]+|[A-Za-z_][A-Za-z0-9_]*|<>|<=|>=|[()=<>,+-])/y;

class Tokens {
  readonly #text: string;
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    const pattern = new RegExp(tokenPattern);
    while (pattern.lastIndex < text.trimEnd().length) {
      const match = pattern.exec(text);
      if (match === null) throw this.error();
      this.#tokens.push(match[1] ?? '');
    }
  }

  get next(): string {
    return this.#tokens[this.#at] ?? '';
  }

  take(expected?: string): string {
    const token = this.next;
    if (token === '' || (expected !== undefined && token.toUpperCase() !== expected)) throw this.error();
    this.#at++;
    return token;
  }

  takeIf(expected: string): boolean {
    if (this.next.toUpperCase() !== expected) return false;
    this.#at++;
    return true;
  }

  requireEnd(): void {
    if (this.next !== '') throw this.error();
  }

  error(): Error {
    return new Error(`Cannot read "${this.#text}" at token ${this.#at}`);
  }
}

function parseCondition(tokens: Tokens): Test {
  let test = parseAnd(tokens);
  while (tokens.takeIf('OR')) {
    const [one, other] = [test, parseAnd(tokens)];
    test = (item, given) => one(item, given) || other(item, given);
  }
  return test;
}

function parseAnd(tokens: Tokens): Test {
  let test = parseNot(tokens);
  while (tokens.takeIf('AND')) {
    const [one, other] = [test, parseNot(tokens)];
    test = (item, given) => one(item, given) && other(item, given);
  }
  return test;
}

function parseNot(tokens: Tokens): Test {
  if (!tokens.takeIf('NOT')) return parseTest(tokens);
  const test = parseNot(tokens);
  return (item, given) => !test(item, given);
}

function parseTest(tokens: Tokens): Test {
  if (tokens.takeIf('(')) {
    const test = parseCondition(tokens);
    tokens.take(')');
    return test;
  }
  return functions.includes(tokens.next.toLowerCase()) ? parseFunction(tokens) : parseComparison(tokens);
}

const functions = ['attribute_exists', 'attribute_not_exists', 'begins_with', 'contains'];

function parseFunction(tokens: Tokens): Test {
  const name = tokens.take().toLowerCase();
  tokens.take('(');
  const operand = parseOperand(tokens);
  if (name === 'begins_with' || name === 'contains') {
    tokens.take(',');
    const part = parseOperand(tokens);
    tokens.take(')');
    return (item, given) => {
      const [text, sought] = [String(operand(item, given)), String(part(item, given))];
      return name === 'contains' ? text.includes(sought) : text.startsWith(sought);
    };
  }
  tokens.take(')');
  const wanted = name === 'attribute_exists';
  return (item, given) => (operand(item, given) !== undefined) === wanted;
}

function parseComparison(tokens: Tokens): Test {
  const left = parseOperand(tokens);
  if (tokens.takeIf('BETWEEN')) {
    const first = parseOperand(tokens);
    tokens.take('AND');
    const last = parseOperand(tokens);
    return (item, given) => {
      const value = left(item, given);
      return (compare(value, first(item, given)) ?? -1) >= 0 && (compare(value, last(item, given)) ?? 1) <= 0;
    };
  }
  if (tokens.takeIf('IN')) {
    tokens.take('(');
    const options = [parseOperand(tokens)];
    while (tokens.takeIf(',')) options.push(parseOperand(tokens));
    tokens.take(')');
    return (item, given) => options.some((option) => isSame(left(item, given), option(item, given)));
  }
  const operator = tokens.take();
  const right = parseOperand(tokens);
  const test = comparisons[operator];
  if (test === undefined) throw tokens.error();
  return (item, given) => test(left(item, given), right(item, given));
}

const comparisons: Readonly<Record<string, (one: unknown, other: unknown) => boolean>> = {
  '=': isSame,
  '<>': (one, other) => !isSame(one, other),
  '<': (one, other) => (compare(one, other) ?? 0) < 0,
  '<=': (one, other) => (compare(one, other) ?? 1) <= 0,
  '>': (one, other) => (compare(one, other) ?? 0) > 0,
  '>=': (one, other) => (compare(one, other) ?? -1) >= 0,
};

function parseOperand(tokens: Tokens): Operand {
  const token = tokens.take();
  if (token.toLowerCase() === 'if_not_exists') {
    tokens.take('(');
    const stored = parseOperand(tokens);
    tokens.take(',');
    const byDefault = parseOperand(tokens);
    tokens.take(')');
    return (item, given) => stored(item, given) ?? byDefault(item, given);
  }
  if (token.startsWith(':')) return (_, { values }) => values[token];
  if (token.startsWith('#')) return (item, given) => memberAt(item, pathOf(token, given));
  if (/^[A-Za-z_]/.test(token)) return (item) => attribute(item, token);
  throw tokens.error();
}

function attribute(item: Item, name: string): unknown {
  return Object.hasOwn(item, name) ? item[name] : undefined;
}

/** The names in a path of placeholders, such as `#roles.#editor`; paths into lists are not supported. */
function pathOf(token: string, given: Expressions): string[] {
  return token.split('.').map((name) => nameOf(name, given));
}

function memberAt(item: Item, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => attribute(Object(value), name), item);
}

/** Replaces a member of an item, or removes it when the value is undefined; the maps around it are copied. */
function setMember(item: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) {
    const map = attribute(item, name);
    if (map === undefined) throw new ValidationError('The document path provided in the update is invalid for update');
    const copy = { ...Object(map) };
    setMember(copy, rest, value);
    item[name] = copy;
  } else if (value === undefined) delete item[name];
  else item[name] = value;
}

type Change = (item: Item, given: Expressions, next: Record<string, unknown>) => void;

function parseUpdate(tokens: Tokens): (item: Item, given: Expressions) => Item {
  const changes: Change[] = [];
  while (tokens.next !== '') {
    const clause = tokens.take().toUpperCase();
    const parse = clauses[clause];
    if (parse === undefined) throw tokens.error();
    do changes.push(parse(tokens));
    while (tokens.takeIf(','));
  }
  return (item, given) => {
    const next: Record<string, unknown> = { ...item };
    for (const change of changes) change(item, given, next);
    return next;
  };
}

function parseSet(tokens: Tokens): Change {
  const name = tokens.take();
  tokens.take('=');
  const value = parseOperand(tokens);
  return (item, given, next) => {
    const result = value(item, given);
    if (result === undefined)
      throw new ValidationError('The provided expression refers to an attribute that does not exist in the item');
    setMember(next, pathOf(name, given), result);
  };
}

function parseRemove(tokens: Tokens): Change {
  const name = tokens.take();
  return (_, given, next) => setMember(next, pathOf(name, given), undefined);
}

/** Adds numbers; a missing attribute counts as 0. */
function parseAdd(tokens: Tokens): Change {
  const name = tokens.take();
  const value = parseOperand(tokens);
  return (item, given, next) => {
    const added = value(item, given);
    if (typeof added !== 'number') throw new ValidationError('ADD is supported only for numbers');
    next[nameOf(name, given)] = Number(attribute(item, nameOf(name, given)) ?? 0) + added;
  };
}

const clauses: Readonly<Record<string, (tokens: Tokens) => Change>> = {
  SET: parseSet,
  REMOVE: parseRemove,
  ADD: parseAdd,
};

function nameOf(token: string, { names }: Expressions): string {
  if (!token.startsWith('#')) return token;
  const name = names[token];
  if (name === undefined) throw new ValidationError(`${token} is not defined`);
  return name;
}

/** Compares two strings or two numbers; undefined for any other values, which have no order. */
export function compare(one: unknown, other: unknown): number | undefined {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one !== 'string' || typeof other !== 'string') return undefined;
  return compareText(one, other);
}

const ascii = /^[\x20-\x7e]*$/;

/** Compares in UTF-8 byte order, as DynamoDB sorts. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  if (ascii.test(one) && ascii.test(other)) return one < other ? -1 : 1;
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return one !== undefined;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [first, second] = [Object.entries(one), new Map(Object.entries(other))];
  return (
    first.length === second.size && first.every(([name, value]) => second.has(name) && isSame(value, second.get(name)))
  );
}
