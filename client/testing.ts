export { createFakeAuthService } from './testing/fake-auth-service.ts';
export type { FakeFailure } from './testing/fake-failures.ts';
export type { FakeAuthService, FakeClientOptions, FakeOptions, FakeRequest } from './testing/fake-interface.ts';
export type { FakeScope, IssuedKey } from './testing/service-instance.ts';
