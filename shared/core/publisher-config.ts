import { required } from './environment.ts';

/** What the change publisher needs of the environment, checked once at cold start. It is given no table and no key. */
export const publisherConfig = { eventBusName: required('EVENT_BUS_NAME') } as const;
