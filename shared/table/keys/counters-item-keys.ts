import type { Key, Range } from '../key.ts';
import type { FeedName } from './feed-item-keys.ts';

/** What one feed has counted, beside the other feeds, so that one query reads all. */
export const countersKey = (feed: FeedName): Key => ({ pk: 'OVERVIEW', sk: feed });

/** What all feeds have counted. */
export const countersRange = (): Range => ({ pk: 'OVERVIEW' });
