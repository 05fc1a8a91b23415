import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import { commandGroup, hasCommand } from '../../cli/terminal/command-group.ts';

const program = new Command();
commandGroup(program, 'users').command('show');
commandGroup(program, 'users').command('import');
program.command('whoami');

test('a group is found by its name, and created if there is none', () => {
  expect(program.commands.map((command) => command.name())).toEqual(['users', 'whoami']);
  expect(commandGroup(program, 'users').commands.map((command) => command.name())).toEqual(['show', 'import']);
});

test.each([
  [['users', 'import', 'people.csv'], true],
  [['whoami'], true],
  [['users'], false],
  [['users', 'delete', 'ada'], false],
  [['bulk', 'undo', '01KB3ZC4N7Z3QF4V6E5T8S9R2W'], false],
])('the words %j call a command of the program: %s', (words, isKnown) => {
  expect(hasCommand(program, words)).toBe(isKnown);
});
