/**
 * The rule of an option: a result of `typeof`, the maximum of a number above 0, or a description for messages with a check
 * that may depend on earlier options. Options may be omitted unless they are required.
 */
export type OptionRule =
  | 'function'
  | 'boolean'
  | 'number'
  | 'string'
  | number
  | readonly [expected: string, isValid: IsValid, isRequired?: boolean];

type IsValid = (value: unknown, before: Readonly<Record<string, unknown>>) => boolean;

/** The rules of options by name. */
export type OptionRules = Readonly<Record<string, OptionRule>>;

/**
 * Returns a copy of the options, including inherited ones; later changes of the object have no effect. Throws a TypeError for
 * an unknown, missing or invalid option. The message contains no values: any may be a misplaced secret.
 */
export function readOptions<Options>(owner: string, given: Options, rules: OptionRules): Options {
  const known = Object.keys(rules);
  for (const name in Object(given))
    if (!known.includes(name)) throw new TypeError(`${owner} has no option ${name}: ${suggest(name, known)}`);
  return readValues(owner, given, rules);
}

/** Reads options from an object that may have further members. */
export function readValues<Options>(owner: string, given: Options, rules: OptionRules): Options {
  const options: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(rules)) {
    const value = Object(given)[name];
    const [expected, isValid, isRequired] = expand(rule);
    if (value === undefined ? isRequired : !isValid(value, options))
      throw new TypeError(`${name} of ${owner} is ${stateOf(value)}: it must be ${expected}`);
    if (name in Object(given)) options[name] = value;
  }
  return options as Options;
}

function expand(rule: OptionRule): Exclude<OptionRule, string | number> {
  if (typeof rule === 'string') return [`a ${rule}`, (value) => typeof value === rule];
  if (typeof rule === 'object') return rule;
  return [`more than 0 and at most ${rule}`, (value) => typeof value === 'number' && value > 0 && value <= rule];
}

function stateOf(value: unknown): string {
  return (value ?? '') === '' ? 'missing' : 'not valid';
}

/** The option with the longest common prefix, or all options. */
function suggest(name: string, known: readonly string[]): string {
  for (let length = name.length; length > 2; length--) {
    const start = name.slice(0, length).toLowerCase();
    const found = known.find((each) => each.toLowerCase().startsWith(start));
    if (found) return `did you mean ${found}?`;
  }
  return `it has ${known.join(', ')}`;
}

/** The rule of an option that has options of its own. */
export const anObject: OptionRule = ['an object', isObject];

export function isObject(value: unknown): boolean {
  return Object(value) === value;
}

/** Less than the 2,147,483 seconds above which a timer fires immediately. */
export const maxSeconds = 1_000_000;

/**
 * Reads the origin of the service, without a trailing slash; empty if it is not valid. Plain http to other machines is not
 * valid: anyone on the network could answer "enabled".
 */
export function readOrigin(baseUrl: unknown, allowHttp: unknown): string {
  const url = `${baseUrl}`;
  const href = URL.canParse(url) ? new URL(url).href : '';
  const [, origin = ''] = /^(https?:\/\/[^/@]+)\/(api\/service\/?)?$/.exec(href) ?? [];
  const isProtected = /^https:|\/\/(localhost|127\.0\.0\.1|\[::1])(:\d+)?$/.test(origin);
  return isProtected || allowHttp ? origin : '';
}
