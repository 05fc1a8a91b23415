import type { StackResource } from './aws-account.ts';
import { missing, type ProofStep } from './proof-step.ts';

/** The kinds of resources that the policies of the bootstrap, and its permissions boundary, recognize by their names. */
const namedTypes = [
  'AWS::Lambda::Function',
  'AWS::IAM::Role',
  'AWS::DynamoDB::GlobalTable',
  'AWS::SQS::Queue',
  'AWS::SNS::Topic',
  'AWS::Logs::LogGroup',
];

export const resourceNamesStep: ProofStep = {
  name: 'resource-names',
  title: "compare the names of the stack's resources with the name of the stack",
  proves: ['resource-names'],
  commands: ['aws cloudformation list-stack-resources'],
  expects: 'the name of each function, role, table, queue, topic and log group begins with that of the stack',
  timeoutMinutes: 5,
  emulationLacks: 'the names that CloudFormation chooses',
  async run({ account, isEmulated }) {
    const named = (await Promise.all(namedTypes.map((type) => account.resources(type)))).flat();
    const others = named.filter((resource) => !nameOf(resource).startsWith(`${account.stackName}-`));
    if (others.length > 0) {
      throw missing(isEmulated, `other names: ${others.map(({ type, physicalId }) => `${type} ${physicalId}`)}`);
    }
    const types = new Set(named.map(({ type }) => type));
    const absent = namedTypes.filter((type) => !types.has(type));
    if (absent.length > 0) throw missing(isEmulated, `the stack has no ${absent}`);
    return { resources: named.length };
  },
};

/** The physical id is the URL of a queue, the ARN of a topic, and otherwise the name. */
function nameOf({ type, physicalId }: StackResource): string {
  return type === 'AWS::Logs::LogGroup' ? physicalId : (physicalId.split(/[/:]/).at(-1) ?? '');
}
