/** Every operation on an application or its contents. */
export const applicationOperations: readonly [method: string, path: string, body: object | undefined][] = [
  ['GET', '', undefined],
  ['PATCH', '', { name: 'Renamed' }],
  ['POST', '/keys', {}],
  ['GET', '/keys', undefined],
  ['DELETE', '/keys/svk_k1_nothing_01JD0000000000000000000000', undefined],
  ['POST', '/keys/svk_k1_nothing_01JD0000000000000000000000/rotate', { overlap: 'PT0S' }],
  ['GET', '/roles', undefined],
  ['PUT', '/roles/editor', {}],
  ['GET', '/roles/editor', undefined],
  ['DELETE', '/roles/editor', undefined],
  ['GET', '/roles/editor/users', undefined],
  ['GET', '/users', undefined],
  ['POST', '/access', { userIds: ['ada'], status: 'disabled' }],
  ['GET', '/changes', undefined],
  ['GET', '/changes?after=', undefined],
];
