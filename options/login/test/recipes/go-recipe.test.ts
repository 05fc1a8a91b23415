import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '#test/local/write-assembly.ts';
import { describeRecipe } from './describe-recipe.ts';

const folder = join(import.meta.dirname, '../../../../examples/login-go');

describeRecipe('Go', {
  tools: ['Go', 'go-oidc'],
  // A confidential client: the example is a server.
  clientType: 'confidential',
  prepare: async () => {
    const program = join(await makeFolder(), 'login-go');
    // Debian's packages are sources for GOPATH; nothing is downloaded.
    const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOPROXY: 'off', GOFLAGS: '' };
    await promisify(execFile)('go', ['build', '-o', program, 'login-go.go'], { cwd: folder, env });
    return [program];
  },
});
