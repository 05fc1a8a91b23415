import type { ManagementClient } from '#client/management.ts';
import type { Outcome } from './lambda-function.ts';
import type { PortVariable } from './listen.ts';
import type { StackModel } from './read-stack.ts';

/** What an option runs beside the stack, in place of a service of AWS. */
export interface LocalPart {
  /** Settings of the stack that the local run synthesizes, unless the environment gives others. */
  readonly settings: Readonly<Record<string, string>>;
  /** The ports that it may listen on. They follow the core's by default. */
  readonly ports: readonly PartPort[];
  /** The files in the data folder, which a reset removes. */
  readonly files: readonly string[];
  /** Starts what the stack needs; undefined if it needs nothing of it, so that no port is used. */
  start(context: PartContext): Promise<RunningPart | undefined>;
}

/** A port, for the help text. */
export interface PartPort {
  readonly variable: PortVariable;
  /** Such as `the login`. */
  readonly meaning: string;
}

/** The stack that a part belongs to. */
export interface PartContext {
  readonly stack: StackModel;
  /** Invokes a function by its logical id. */
  invoke(functionId: string, event: unknown): Promise<Outcome>;
  /** By their variables; one that is missing can be any free port. */
  readonly ports: Readonly<Partial<Record<PortVariable, number>>>;
  /** The folder for its files. Default: nothing is kept. */
  readonly folder?: string | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

/** A running part. */
export interface RunningPart {
  /** Variables of the functions, such as the endpoint of a service. */
  readonly environment: Readonly<Record<string, string>>;
  /** What replaces an issuer that the template names. */
  readonly issuers: Readonly<Record<string, string>>;
  /** Adds to the example company, once it is seeded. Default: nothing. */
  addExample?(example: ExampleContext): Promise<ExampleAddition>;
  close(): Promise<void>;
}

/** The example company, and the client to change it by. */
export interface ExampleContext {
  readonly manage: ManagementClient;
  /** The application that owns the example's key. */
  readonly appId: string;
  /** The users who are active. */
  readonly userIds: readonly string[];
}

/** What a part adds to the example. */
export interface ExampleAddition {
  /** Members of the file with the example's credentials. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Lines of the welcome, each after its title of at most 13 characters. */
  readonly lines: readonly (readonly [title: string, text: string])[];
}
