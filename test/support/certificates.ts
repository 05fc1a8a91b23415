import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The key and the certificate of a server, with the chain that it sends. */
export interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate authority that exists for one test. */
export interface CertificateAuthority {
  /** Its own certificate, which clients must trust. */
  readonly file: string;
  /** Issues a certificate for one host name, through two intermediate authorities: a chain as long as Amazon's. */
  issue(name: string): ServerCertificate;
  remove(): void;
}

/** Creates an authority with OpenSSL 3, in a folder of its own. */
export function createAuthority(): CertificateAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const create = (name: string, issuer: string | undefined, ...extensions: readonly string[]) => {
    const by = issuer === undefined ? [] : ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`];
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`, '-days', '2', '-subj', `/CN=${name}`];
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];
    const added = extensions.flatMap((extension) => ['-addext', extension]);
    execFileSync('openssl', ['req', '-x509', ...newKey, ...files, ...by, ...added], { cwd: folder, stdio: 'pipe' });
  };
  const [isAuthority, isServer] = ['basicConstraints=critical,CA:TRUE', 'basicConstraints=critical,CA:FALSE'];
  create('root', undefined);
  create('first', 'root', isAuthority);
  create('second', 'first', isAuthority);
  return {
    file: join(folder, 'root.pem'),
    issue: (name) => {
      create(name, 'second', isServer, `subjectAltName=DNS:${name}`);
      return { key: read(`${name}.key`), cert: [name, 'second', 'first'].map((each) => read(`${each}.pem`)).join('') };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
