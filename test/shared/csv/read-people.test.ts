import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CsvError } from '#shared/csv/read-csv.ts';
import { doubtsOf, namesOf, PeopleError, readPeople } from '#shared/csv/read-people.ts';

/** The names, where no whole line is the id of a user, or only these are. */
const namesIn = (text: string, users: readonly string[] = []) =>
  namesOf(readPeople(text), (whole) => users.includes(whole));

/** What it returns, or the class of its error. */
function resultOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return (error as Error).constructor;
  }
}

describe('people in a text', () => {
  test.each([
    ['one a line', 'mei\n\n omar \nmei\npriya', ['mei', 'omar', 'priya']],
    ['semicolons and spaces', 'mei; omar; priya', ['mei', 'omar', 'priya']],
    ['semicolons alone', 'mei;omar;priya', ['mei', 'omar', 'priya']],
    ['commas', 'mei, omar,priya', ['mei', 'omar', 'priya']],
    ['tabs', 'mei\tomar\tpriya', ['mei', 'omar', 'priya']],
    ['several on several lines', 'mei; omar\r\npriya\rada, grace\n', ['mei', 'omar', 'priya', 'ada', 'grace']],
    ['a delimiter at the end', 'mei; omar;\n;priya,\n;;\n', ['mei', 'omar', 'priya']],
    ['quotation marks', '"mei","omar",""\n"priya"', ['mei', 'omar', 'priya']],
    ['addresses of Outlook', 'mei@x.org; omar@x.org', ['mei@x.org', 'omar@x.org']],
    ['names of Outlook', 'Mei Tanaka <mei@x.org>; Omar <omar@x.org>', ['mei@x.org', 'omar@x.org']],
    ['surnames of Outlook', "Tanaka, Mei <mei@x.org>; O'Neill, Pat (HR) <pat@x.org>;", ['mei@x.org', 'pat@x.org']],
    ['an address among the names of Outlook', 'ada@x.org; Tanaka, Mei <mei@x.org>', ['ada@x.org', 'mei@x.org']],
    [
      'ids beside names',
      'ada; Mei <mei@x.org>\tbo\nbo;"Lee, Pat" <pat@x.org>',
      ['ada', 'mei@x.org', 'bo', 'pat@x.org'],
    ],
    ['names of Gmail', 'Mei Tanaka <mei@x.org>, "Haddad, Omar" <omar@x.org>', ['mei@x.org', 'omar@x.org']],
    ['an address as a name', "mei@x.org <MEI@x.org>, 'omar@x.org' <omar@x.org>", ['MEI@x.org', 'omar@x.org']],
    ['angle brackets', '<mei@x.org>\n<omar@x.org>', ['mei@x.org', 'omar@x.org']],
    ['an address in another script', 'mei@müller.example; 用户@例え.jp', ['mei@müller.example', '用户@例え.jp']],
    ['comments', '# staff\nmei # left, see HR-7\nauth0|1  # by name\n', ['mei', 'auth0|1']],
    ['a byte order mark', '\uFEFFmei; omar', ['mei', 'omar']],
    ['sep=;', 'sep=;\nmei;omar\n', ['mei', 'omar']],
    ['nothing', ' \n', []],
  ])('are read with %s', (_, text, names) => {
    expect(namesIn(text)).toEqual(names);
  });

  test('keep the number of their line', () => {
    expect(readPeople('# staff\r\nmei\n\nomar; priya').map(({ line }) => line)).toEqual([2, 4]);
  });

  test.each([
    ['uid=mei,ou=people', ['uid=mei,ou=people']],
    ['mei;omar', ['mei;omar']],
    ["'=mei", ["'=mei"]],
    ['mail\nmei', ['mail', 'mei']],
  ])('are one user each whose id is the whole line: %j', (text, ids) => {
    expect(namesIn(text, ids)).toEqual(ids);
    expect(namesIn(text)).not.toEqual(ids);
    expect(readPeople('mei\nomar').some(({ whole }) => whole !== undefined)).toBe(false);
  });

  test('are never divided inside quotation marks', () => {
    expect(namesIn('"uid=mei,ou=people"; omar')).toEqual(['uid=mei,ou=people', 'omar']);
  });

  test.each([
    ['words', 'mei\nMei Tanaka', 2, 'Mei Tanaka'],
    ['spaces between people', 'mei omar priya', 1, 'mei omar priya'],
    ['a name without an address in a row', 'mei\n\nomar;Omar Haddad', 3, 'omar;Omar Haddad'],
    ['two people without a delimiter', 'Mei <mei@x.org> Omar <omar@x.org>', 1, 'Mei <mei@x.org> Omar <omar@x.org>'],
    ['an address that is not the one in brackets', 'ada@x.org <mei@x.org>', 1, 'ada@x.org <mei@x.org>'],
    ['a comma that may be in a name', 'Tanaka, Mei <mei@x.org>', 1, 'Tanaka, Mei <mei@x.org>'],
    ['an id before a name', 'ada, Mei <mei@x.org>; omar', 1, 'ada, Mei <mei@x.org>; omar'],
    ['a number sign before an address', 'Team #1 <team@x.org>', 1, 'Team #1 <team@x.org>'],
    ['no address in the brackets', 'Mei <mei>', 1, 'Mei <mei>'],
    ['an open quotation mark', 'mei\n"omar', 2, '"omar'],
    ['a dot segment', 'mei; ..', 1, 'mei; ..'],
  ])('are refused as a whole for a line with %s', (_, text, line, content) => {
    expect(() => readPeople(text)).toThrow(PeopleError);
    expect(() => readPeople(text)).toThrow(
      `Line ${line} is not a list of user IDs or e-mail addresses: ${JSON.stringify(content)}.`,
    );
  });

  test('are refused with the number of such lines, and the beginning of the first', () => {
    const text = `${'very '.repeat(40)}long\nmei\na b\nc d\n`;
    expect(() => readPeople(text)).toThrow(/^Line 1 .{1,60}"(?:very ){16}…", and 2 more lines\. /);
    const lines = [1, 3, 4].map((line) => expect.objectContaining({ line }));
    expect(() => readPeople(text)).toThrow(expect.objectContaining({ lines }));
  });

  const id = fc
    .stringMatching(/^[a-z][a-z0-9|.-]{0,9}$/)
    .filter((text) => !/^(?:id|user|mail|email|userid)$/.test(text));
  const person = fc.oneof(
    id.map((name) => ({ name, text: name })),
    id.map((name) => ({ name: `${name}@x.org`, text: `"Last, First" <${name}@x.org>` })),
    id.map((name) => ({ name: `${name}@x.org`, text: `First Last <${name}@x.org>` })),
  );
  test('are all read, or none, however they are divided', () => {
    const divided = fc.array(fc.tuple(person, fc.constantFrom(', ', ';', '\t', '\n', '\r\n')), { minLength: 1 });
    fc.assert(
      fc.property(divided, (parts) => {
        const text = parts.map((part) => part[0].text + part[1]).join('');
        const names = parts.map(([{ name }]) => name);
        expect([new Set(names), PeopleError]).toContainEqual(resultOf(() => new Set(namesIn(text, names))));
      }),
    );
  });

  test('are refused if what would be a surname is the id of a user', () => {
    const text = 'mei\nTanaka, Mei <mei@x.org>;\nLee, Bo <bo@x.org>; "Tanaka, Mei" <mei@x.org>';
    expect(doubtsOf(readPeople(text))).toEqual(['Tanaka', 'Lee']);
    expect(namesIn(text)).toEqual(['mei', 'mei@x.org', 'bo@x.org']);
    expect(() => namesIn(text, ['Lee'])).toThrow('Line 3 is not a list');
  });
});

describe('people in a table', () => {
  test.each([
    ['of the column of ids', 'name,User ID\nx,mei\ny,omar\n', ['mei', 'omar']],
    ['of the column of e-mail addresses', 'Name;E-Mail\nMei;m@x.org\n', ['m@x.org']],
    ['of both columns, the id if there is one', 'email,userId\na@b.c,ada\nb@b.c,\n', ['ada', 'b@b.c']],
    ['after columns without a title', ',,email\n1,x,a@b.c\n', ['a@b.c']],
    ['of a single column with its title', 'email\na@b.c\n', ['a@b.c']],
    ['of several in a row below a single title', 'userId\nmei; omar\npriya\n', ['mei', 'omar', 'priya']],
    ['of an export with ids that look like formulas', "\uFEFFuserId\r\n'-ada\r\n'=x\r\n", ['-ada', '=x']],
    ['of an id with a delimiter', 'userId,name\n"a,b",x\n', ['a,b']],
    ['of a cell as Outlook has it', 'name;e-mail\nx;Mei <mei@x.org>\n', ['mei@x.org']],
    ['of rows without the empty cells at their end', 'email,userId\na@b.c\n', ['a@b.c']],
    ['without a title, of all cells', 'mei;x\nomar;y\n', ['mei', 'x', 'omar', 'y']],
  ])('are those %s', (_, text, names) => {
    expect(namesIn(text)).toEqual(names);
  });

  test.each([
    ['no id and no address', 'userId,name\nmei,x\n,y\n', 'Line 3 is not a list of user IDs or e-mail addresses: ",y".'],
    ['several people in a cell', 'userId,name\nmei; omar,x\n', 'Line 2 is not a list'],
    ['too many cells', 'email,userId\na@b.c\nb@b.c,,bo\n', 'Line 3 has 3 cells'],
    ['two columns of the same title', 'email,email\na@b.c,d@e.f', 'Two columns have the title "email".'],
  ])('are refused for a row with %s', (_, text, message) => {
    expect(() => readPeople(text)).toThrow(CsvError);
    expect(() => readPeople(text)).toThrow(message);
  });
});
