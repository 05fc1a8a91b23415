import { readFileSync } from 'node:fs';

/**
 * `npm run -s comment -- <file>`: posts the file as a comment on the pull request `PULL_REQUEST` of
 * `GITHUB_REPOSITORY`, replacing its previous comment. GitHub Actions sets `GITHUB_API_URL`; `GITHUB_TOKEN` must be
 * allowed to write pull requests.
 */
const { GITHUB_API_URL = 'https://api.github.com', GITHUB_REPOSITORY, GITHUB_TOKEN, PULL_REQUEST } = process.env;
const marker = '<!-- cdk diff -->';
const comments = `/repos/${GITHUB_REPOSITORY}/issues/${PULL_REQUEST}/comments`;
const body = `${marker}\n${readFileSync(process.argv[2] ?? '', 'utf8')}`;
const known = await findComment();
if (known === undefined) await ask('POST', comments, { body });
else await ask('PATCH', `/repos/${GITHUB_REPOSITORY}/issues/comments/${known}`, { body });

interface Comment {
  readonly id: number;
  readonly body?: string;
}

async function findComment(): Promise<number | undefined> {
  for (let page = 1; ; page++) {
    const found = (await ask('GET', `${comments}?per_page=100&page=${page}`)) as readonly Comment[];
    const previous = found.find((comment) => comment.body?.startsWith(marker));
    if (previous !== undefined || found.length < 100) return previous?.id;
  }
}

async function ask(method: string, path: string, content?: object): Promise<unknown> {
  const response = await fetch(`${GITHUB_API_URL}${path}`, {
    method,
    headers: { authorization: `Bearer ${GITHUB_TOKEN}`, accept: 'application/vnd.github+json' },
    body: content === undefined ? null : JSON.stringify(content),
  });
  if (!response.ok) throw new Error(`${method} ${path} failed with ${response.status}: ${await response.text()}`);
  return response.json();
}
