import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { newUser } from '../../support/new-user.ts';
import { type DashboardTest, startDashboard } from './start-dashboard.ts';

export interface DashboardWithUser extends DashboardTest {
  /** The user of the present test, of whom nothing is set. */
  userId: string;
}

/** One dashboard for all tests of the file, and a new user for each; to be read inside of tests. */
export function dashboardWithUser(): DashboardWithUser {
  const present = {} as DashboardWithUser;
  beforeAll(async () => {
    Object.assign(present, await startDashboard());
  });
  beforeEach(async () => {
    present.userId = await newUser();
  });
  afterAll(() => present.stop());
  return present;
}
