import { beforeEach } from '@jest/globals';
import { newUser } from '../../support/new-user.ts';
import { type DashboardTest, dashboardForTests } from './dashboard-for-tests.ts';

export interface DashboardWithUser extends DashboardTest {
  /** The user of the present test, of whom nothing is set. */
  userId: string;
}

/** One dashboard for all tests of the file, and a new user for each; to be read inside of tests and hooks. */
export function dashboardWithUser(): DashboardWithUser {
  const present = dashboardForTests() as DashboardWithUser;
  beforeEach(async () => {
    present.userId = await newUser();
  });
  return present;
}
