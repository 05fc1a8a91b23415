import { ModuleMocker } from 'jest-mock';

/** Jest requires a `testEnvironment`. This one has no VM context, because test files run in the process itself. */
export default class PlainEnvironment {
  global = {};
  moduleMocker = new ModuleMocker(globalThis);
  getVmContext = () => null;
  setup = async () => undefined;
  teardown = async () => undefined;
}
