import { expect, test } from '@jest/globals';
import { parseProcesses } from './list-processes.ts';

test('reads the processes that ps of POSIX prints, where there is no /proc', () => {
  const printed = '    1     0 Ss   /sbin/launchd\n 4711     1 R+   node local/start.ts --data=/tmp/a b\n';
  expect(parseProcesses(printed)).toEqual([
    { pid: 1, parent: 0, state: 'S', command: '/sbin/launchd' },
    { pid: 4711, parent: 1, state: 'R', command: 'node local/start.ts --data=/tmp/a b' },
  ]);
});
