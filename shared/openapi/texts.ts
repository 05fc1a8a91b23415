/** `info` of the document, without its version. */
export const info = {
  title: 'auth-service',
  summary: 'May this user enter my application, and with which roles?',
  description: [
    'Two APIs in one document. The **Service API** under `/api/service` is for the backends of applications: each request is signed with an API key, which identifies the application. The **Management API** under `/api/manage` is for operators and their tools.',
    '',
    'Errors are problem documents (RFC 9457) with a stable `code`; [errors](/docs/errors) explains each. New members may be added to responses: ignore unknown ones. Unknown members in bodies and queries are refused.',
    '',
    'Setting the current value is not an error. To retry a call, keep its nonce and sign again: see [to retry](/docs/signing#to-retry).',
  ].join('\n'),
  contact: { name: 'The operators of your deployment' },
  license: { name: 'Unlicensed', identifier: 'LicenseRef-Unlicensed' },
} as const;

export const servers = [
  {
    url: 'https://{host}',
    description: 'The HTTP API: the host in the output ApiUrl, or the domain of the dashboard',
    variables: { host: { default: 'auth.example.org', description: 'The host of the deployment' } },
  },
  {
    url: 'http://127.0.0.1:{port}',
    description: 'npm start',
    variables: { port: { default: '3000', description: 'PORT' } },
  },
] as const;

export const manageServers = [
  ...servers,
  {
    url: 'https://{id}.lambda-url.{region}.on.aws',
    description: 'The function URL, for requests signed with AWS Signature Version 4: the output ManageUrl',
    variables: {
      id: { default: 'abcdefghijklmnopqrstuvwxyz012345', description: 'The id of the function URL' },
      region: { default: 'eu-west-1', description: 'The Region of the deployment' },
    },
  },
  {
    url: 'http://127.0.0.1:{managePort}',
    description: 'The function URL of npm start',
    variables: { managePort: { default: '3001', description: 'MANAGE_PORT' } },
  },
] as const;

export const tags = [
  { name: 'Service API', description: 'For the backends of applications, signed with an API key.' },
  { name: 'Applications', description: 'Management: the applications that users may enter.' },
  { name: 'API keys', description: 'Management: the keys that the backends of applications sign with.' },
  { name: 'Roles', description: 'Management: the roles of an application, and who holds them.' },
  { name: 'Users', description: 'Management: the users of all applications.' },
  { name: 'Access', description: 'Management: which users may enter which applications, and with which roles.' },
  { name: 'Operators', description: 'Management: who you are, and what you may do.' },
  { name: 'History', description: 'Management: who changed what, when and why.' },
] as const;
