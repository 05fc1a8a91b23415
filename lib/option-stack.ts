import type { Construct } from 'constructs';
import type { ManageApi } from './api/manage-api.ts';
import type { ServiceApi } from './api/service-api.ts';
import type { ChangeEvents } from './data/change-events.ts';
import type { RootKey } from './data/root-key.ts';
import type { Table } from './data/table.ts';
import type { OptionPart } from './monitoring/option-part.ts';
import type { Settings } from './settings/settings.ts';

/** The stack without its options. */
export interface CoreStack extends Construct {
  readonly table: Table;
  readonly rootKey: RootKey;
  readonly serviceApi: ServiceApi;
  readonly manageApi: ManageApi;
  readonly changeEvents: ChangeEvents;
}

/** Adds the constructs of an option to the stack; undefined if the settings leave it out. */
export type AddToStack = (stack: CoreStack, settings: Settings) => OptionPart | undefined;
