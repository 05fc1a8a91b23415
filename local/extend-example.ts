import { writeWhole } from '#shared/files/whole-file.ts';
import { exampleUsers } from './example-company.ts';
import { createLocalManagement } from './local-management.ts';
import type { ExampleAddition, RunningPart } from './local-part.ts';
import type { SeededExample } from './seed-example.ts';

/** The example, what adds to it, and its file. */
export interface ExtendOptions {
  readonly example: SeededExample;
  readonly parts: readonly RunningPart[];
  /** Where the function URL answers before it is ready. Default: the example's `manageUrl`. */
  readonly setupUrl?: string | undefined;
  /** Readable only by its owner. */
  readonly file: string;
}

/** Lets what options run add to the example, and writes all of it to its file; returns their lines of the welcome. */
export async function extendExample(options: ExtendOptions): Promise<ExampleAddition['lines']> {
  const { example, parts, setupUrl = example.manageUrl, file } = options;
  const manage = createLocalManagement(setupUrl, example);
  const userIds = exampleUsers.filter(({ inactive }) => inactive === undefined).map(({ userId }) => userId);
  const additions: ExampleAddition[] = [];
  for (const part of parts) {
    const addition = await part.addExample?.({ manage, appId: example.appId, userIds });
    if (addition !== undefined) additions.push(addition);
  }
  const content = Object.assign({}, example, ...additions.map(({ members }) => members));
  writeWhole(file, `${JSON.stringify(content, null, 2)}\n`);
  return additions.flatMap(({ lines }) => lines);
}
