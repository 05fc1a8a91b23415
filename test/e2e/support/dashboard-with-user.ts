import { beforeEach } from '@jest/globals';
import { newUser } from '../../support/new-user.ts';
import { type DashboardTest, dashboardForTests } from './dashboard-for-tests.ts';

export interface DashboardWithUser extends DashboardTest {
  /** The user of the current test, without any settings. */
  userId: string;
}

/** One dashboard for all tests of the file, and a new user for each test; to be used inside tests and hooks. */
export function dashboardWithUser(): DashboardWithUser {
  const present = dashboardForTests() as DashboardWithUser;
  beforeEach(async () => {
    present.userId = await newUser();
  });
  return present;
}
