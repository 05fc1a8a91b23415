import { installVirtualTime } from './virtual-time.ts';

/* For tests in whose process seeds are run: before anything else is loaded. */
installVirtualTime();
process.env.EVENT_BUS_NAME ??= 'simulated';
