/**
 * The Regions in which AWS documents that Lambda has no function URLs, read on 2026-11-24 ("Creating and managing Lambda
 * function URLs"). The list becomes shorter over time, so a Region on it gets a warning and not an error.
 * https://docs.aws.amazon.com/lambda/latest/dg/urls-configuration.html
 */
const withoutFunctionUrls: readonly string[] = [
  'ap-south-2',
  'ap-southeast-4',
  'ap-southeast-5',
  'ca-west-1',
  'eu-central-2',
  'eu-south-2',
  'il-central-1',
  'me-central-1',
];

/**
 * The Regions of the partition aws for which AWS lists an endpoint of Cognito user pools: those of the AWS SDK for Go v2
 * (`service/cognitoidentityprovider/internal/endpoints`) and ap-southeast-5 of the AWS General Reference, read on 2026-11-24.
 * The list becomes longer over time, so another Region gets a warning and not an error.
 * https://docs.aws.amazon.com/general/latest/gr/cognito.html
 */
const withUserPools: readonly string[] = [
  'af-south-1',
  'ap-east-1',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-northeast-3',
  'ap-south-1',
  'ap-south-2',
  'ap-southeast-1',
  'ap-southeast-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ca-central-1',
  'ca-west-1',
  'eu-central-1',
  'eu-central-2',
  'eu-north-1',
  'eu-south-1',
  'eu-south-2',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'il-central-1',
  'me-central-1',
  'me-south-1',
  'sa-east-1',
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
];

/** Lambda's initial quota of concurrent executions for some new accounts (Lambda guide, "Lambda quotas"). */
const smallQuota = 10;

export interface DeploymentPlace {
  /** Undefined if synthesis does not know it. */
  readonly region: string | undefined;
  /** The account's quota of concurrent executions. */
  readonly accountConcurrency: number;
  /** Whether the stack creates a user pool for the operators. */
  readonly createsUserPool: boolean;
}

/** What AWS would refuse, or hardly serve, in a Region and an account, as far as synthesis can know: each with what to do. */
export function regionLimits({ region, accountConcurrency, createsUserPool }: DeploymentPlace): string[] {
  const limits: string[] = [];
  const isOutsideOfAws = region !== undefined && /^(?:cn|us-gov|us-iso\w*|eusc)-/.test(region);
  if (region !== undefined && withoutFunctionUrls.includes(region)) {
    limits.push(
      `AWS documents no Lambda function URLs in ${region}, so the deployment may fail at ManageApi: choose another Region with the setting region.`,
    );
  }
  if (region !== undefined && !isOutsideOfAws && createsUserPool && !withUserPools.includes(region)) {
    limits.push(
      `AWS lists no Cognito user pools in ${region}, so the deployment may fail at OperatorLogin: use your own login provider with the settings oidcIssuer and oidcAudience, or choose another Region with the setting region.`,
    );
  }
  if (isOutsideOfAws) {
    limits.push(
      `${region} is outside of the partition aws, for which alone this stack was tried: check that it has CloudFront, Cognito user pools and function URLs, or set dashboard=none and oidcIssuer.`,
    );
  }
  if (accountConcurrency <= smallQuota) {
    limits.push(
      `The account may run only ${accountConcurrency} functions at the same time, so more requests are refused: request an increase with aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000`,
    );
  }
  return limits;
}
