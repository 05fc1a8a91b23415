import { Duration } from 'aws-cdk-lib';
import { LambdaVersion, type UserPool, UserPoolOperation } from 'aws-cdk-lib/aws-cognito';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

export interface AccessTriggerProps {
  readonly userPool: UserPool;
  /** The file of the handler, such as `tokens.ts`. */
  readonly entry: string;
  /** The URL of the access service. */
  readonly serviceUrl: string;
  /** The API key of each app client's application: JSON with `keyId` and `secret`, by the id of the app client. */
  readonly keys: ISecret;
  /** `V2_0` and `V3_0` also change access tokens, and require the plan Essentials or Plus. Default: `V1_0`. */
  readonly version?: LambdaVersion;
}

/** Lets a user pool issue tokens only to people who may enter the application of the app client. */
export class AccessTrigger extends Construct {
  readonly handler: NodejsFunction;

  constructor(scope: Construct, id: string, { userPool, entry, serviceUrl, keys, version }: AccessTriggerProps) {
    super(scope, id);
    this.handler = new NodejsFunction(this, 'Handler', {
      entry,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      bundling: { format: OutputFormat.ESM },
      // Cognito waits for 5 s.
      timeout: Duration.seconds(5),
      memorySize: 512,
      environment: { AUTH_URL: serviceUrl, AUTH_KEYS_ARN: keys.secretArn },
    });
    keys.grantRead(this.handler);
    // Also permits this user pool, and no other, to invoke the function.
    userPool.addTrigger(UserPoolOperation.PRE_TOKEN_GENERATION_CONFIG, this.handler, version ?? LambdaVersion.V1_0);
  }
}
