import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangeAction } from '#shared/contract/change.ts';
import type { AskOperation } from './ask-operation.ts';
import type { GuardedStack } from './guarded-stack.ts';
import type { AskManage } from './manage-outcomes/prepare.ts';
import type { AnyCall, ManageOutcomes, Others, ServiceOutcomes } from './outcomes.ts';
import type { RepairFinding } from './repair-pages.ts';
import type { Answer } from './send-request.ts';
import { root } from './source-files.ts';
import type { TestService } from './start-service.ts';

/** Sends the request of an example with more parameters in its query. */
export type AskExample = (additional: Readonly<Record<string, string>>) => Promise<Answer>;

/** Performs an action of a service of AWS; `target` is the header `x-amz-target`. */
type ServiceOfAws = (target: string, input: object) => { readonly status: number; readonly body: object };

/** What an option adds to the tests of all operations: `outcomes` in its `test/<name>-outcomes.ts`. */
export interface OptionOutcomes {
  readonly manage?: (service: () => TestService, ask: AskManage) => Partial<ManageOutcomes>;
  readonly service?: (service: () => TestService) => Partial<ServiceOutcomes>;
  /** Further outcomes of operations of the core or of another option, by operation. */
  readonly more?: (service: () => TestService) => Readonly<Record<string, Others<AnyCall>>>;
  /** Makes its other functions do all that they do, each under its own policies. */
  readonly play?: (stack: GuardedStack, ask: AskOperation) => Promise<void>;
  /** Answers the requests of functions to services of AWS that only this option uses, by the name in their signatures. */
  readonly services?: Readonly<Record<string, ServiceOfAws>>;
  /** The kinds of changes that no outcome makes, because they take what only a deployment has. Default: none. */
  readonly unplayed?: readonly ChangeAction[];
  /** A request that is refused with each of its error codes. */
  readonly problems?: (
    ask: AskOperation,
    service: () => TestService,
  ) => Readonly<Record<string, () => Promise<Answer>>>;
  /** The operations that the roles allow in an application, each beside those of the role before. */
  readonly allowed?: Readonly<Record<'viewer' | 'admin', readonly string[]>> & { readonly support?: readonly string[] };
  /** Those that concern no single application, for which a role in one does not suffice. Default: none. */
  readonly global?: readonly string[];
  /** Those for which a role in one application always suffices: the answer is narrowed, or about users alone. Default: none. */
  readonly always?: readonly string[];
  /** The order of its examples, after those of connections. */
  readonly examples?: readonly string[];
  /** Examples that show what the sequence has made by then, by the name of the one that they follow. */
  readonly examplesAfter?: Readonly<Record<string, readonly string[]>>;
  /** Damages what the option keeps of a user, and says which finding of a repair names it. */
  readonly damage?: (service: TestService) => Promise<(finding: RepairFinding) => boolean>;
  /** Asks for an example that takes several requests; undefined for another one. */
  readonly askExample?: (name: string, shown: object, ask: AskExample) => Promise<Answer | undefined>;
  /** Writes what an example shows and no example has made. */
  readonly prepareExample?: (service: Pick<TestService, 'endpoint'>, name: string, shown: object) => Promise<void>;
}

const files = globSync('options/*/test/*-outcomes.ts', { cwd: root }).sort();

/** Those of all options. */
export const optionOutcomes: readonly OptionOutcomes[] = await Promise.all(
  files.map(async (file) => (await import(join(root, file))).outcomes),
);
