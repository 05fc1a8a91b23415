import type { AppId } from '#shared/contract/fields.ts';
import type { IndexKey, Key, Range } from '../key.ts';

/** One application with its keys; `gsi1` lists all applications by id. */
export const applicationKey = (appId: AppId): Key => ({ pk: `APP#${appId}`, sk: 'APP' });
export const applicationIndexKey = (appId: AppId): IndexKey => ({ gsi1pk: 'APPS', gsi1sk: appId });

/**
 * The requests of one application, counted by all processes in one Region: between replicas of the table the last writer
 * wins, so a common count would be wrong. In a partition of its own, so that it takes no capacity from the application.
 */
export const requestTotalsKey = (appId: AppId, region: string): Key => ({ pk: `RATE#${appId}`, sk: region });

/** All applications, by id. */
export const applicationsRange = (): Range => ({ index: 'gsi1', pk: 'APPS' });
