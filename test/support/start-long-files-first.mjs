import Sequencer from '@jest/test-sequencer';
import { longFilesFirst } from './long-files.ts';

/**
 * Jest's `testSequencer`. In a fresh clone Jest starts large files first, so that a short file with a long run would
 * start late and run alone at the end.
 */
export default class StartLongFilesFirst extends Sequencer {
  async sort(files) {
    return longFilesFirst(await super.sort(files));
  }
}
