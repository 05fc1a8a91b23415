import type { Command } from 'commander';

/** Words of other programs, by the command of a group that does what they mean. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  show: ['get', 'view', 'describe', 'info', 'read', 'cat'],
  list: ['ls', 'all', 'index'],
  find: ['search', 'lookup', 'grep', 'query'],
  create: ['new', 'add', 'make'],
  define: ['create', 'new', 'add'],
  issue: ['create', 'new', 'add', 'generate'],
  assign: ['create', 'add', 'grant', 'give'],
  add: ['create', 'new', 'set'],
  update: ['edit', 'change', 'modify', 'set', 'patch'],
  rename: ['edit', 'change', 'modify', 'update'],
  delete: ['rm', 'remove', 'del', 'destroy', 'erase'],
  revoke: ['rm', 'remove', 'delete', 'del', 'unassign', 'take'],
  remove: ['rm', 'delete', 'del'],
  set: ['update', 'change', 'block', 'unblock', 'allow', 'enable', 'disable'],
  'set-status': ['deactivate', 'activate', 'disable', 'enable', 'block', 'unblock', 'suspend'],
  members: ['users', 'holders'],
};

/** Words at the beginning of a command line, by the commands that do what they mean. */
const otherBeginnings: Readonly<Record<string, readonly string[]>> = {
  'access set': ['block', 'unblock', 'allow', 'deny', 'enable', 'disable'],
  'users set-status': ['deactivate', 'activate', 'suspend'],
  'users offboard': ['offboard'],
  'users find': ['find', 'search', 'lookup'],
  'users show': ['show', 'get', 'who'],
  'grants assign': ['assign', 'grant'],
  'grants revoke': ['revoke'],
  'history undo': ['undo'],
  history: ['log', 'logs', 'audit', 'changes'],
  'apps list': ['applications', 'application', 'list', 'ls'],
  'roles members': ['members'],
  whoami: ['me', 'login', 'status'],
};

/** What a word that names no command of a group could mean: the names of commands. */
export function commandsMeant(group: Command, word: string): string[] {
  const words = group.parent === null ? otherBeginnings : otherWords;
  const text = word.toLowerCase();
  return Object.entries(words).flatMap(([name, others]) => (others.includes(text) && has(group, name) ? [name] : []));
}

function has(group: Command, name: string): boolean {
  const [first = '', ...more] = name.split(' ');
  const found = group
    .createHelp()
    .visibleCommands(group)
    .find((child) => child.name() === first);
  return found !== undefined && (more.length === 0 || has(found, more.join(' ')));
}
