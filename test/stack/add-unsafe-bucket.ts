import { App, Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';

/** Preloaded before the app, this adds a bucket to its stack that violates the AwsSolutions rules. */
const synth = App.prototype.synth;
App.prototype.synth = function synthWithUnsafeBucket(options) {
  const stack = this.node.children.find(Stack.isStack);
  if (stack !== undefined) new Bucket(stack, 'UnsafeBucket');
  return synth.call(this, options);
};
