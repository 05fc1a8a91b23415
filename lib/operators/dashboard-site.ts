import { Aws, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { OwnDomain } from '../settings/api-settings.ts';
import {
  bearerPattern,
  contentSecurityPolicy,
  docsPagePattern,
  filePattern,
  fixedHeaders,
} from './dashboard-delivery.ts';

export interface DashboardSiteProps {
  /** The host name of the API, for paths below `/api/`. */
  readonly apiHost: string;
  /** The origins of the login, for its configuration and tokens. */
  readonly connectTo: readonly string[];
  /**
   * The content of the built `index.html`. While a deployment has only one of a new page and its policy, browsers leave out what
   * is inline, which is the page's first paint only.
   */
  readonly page: string;
  /** Its certificate must be in us-east-1, as CloudFront requires. Default: only the distribution's own name. */
  readonly domain?: OwnDomain | undefined;
}

/**
 * The administration dashboard behind CloudFront, with the API below `/api/` of the same origin, so that no CORS is needed.
 * Requests to the API through it are signed for one of `authorities`. The distribution depends on the API but not on its
 * routes and functions, so that the functions' environment can contain the distribution's name without a cycle.
 */
export class DashboardSite extends Construct {
  readonly bucket: Bucket;
  readonly distribution: Distribution;
  /** The host names of the distribution. */
  readonly authorities: readonly string[];
  /** The URLs of the dashboard, to which a login returns. */
  readonly urls: readonly string[];

  constructor(scope: Construct, id: string, props: DashboardSiteProps) {
    super(scope, id);
    this.bucket = this.#createBucket();
    this.distribution = this.#createDistribution(props);
    this.authorities = [...(props.domain ? [props.domain.name] : []), this.distribution.distributionDomainName];
    this.urls = this.authorities.map((name) => `https://${name}/`);
  }

  /** Retained when the stack is deleted: only an empty bucket can be deleted, and nothing here is allowed to empty it. */
  #createBucket(): Bucket {
    const bucket = new Bucket(this, 'Files', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'It contains public files, and only CloudFront can read it.',
    });
    return bucket;
  }

  #createDistribution(props: DashboardSiteProps): Distribution {
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'The dashboard of auth-service',
      defaultRootObject: 'index.html',
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: this.#fileBehavior(props),
      additionalBehaviors: { '/api/*': apiBehavior(props.apiHost) },
      ...this.#ownDomain(props.domain),
    });
    acknowledgeFindings(distribution, props);
    return distribution;
  }

  /** The minimum TLS version can be set only with a custom certificate. */
  #ownDomain(domain: OwnDomain | undefined) {
    if (domain === undefined) return {};
    return {
      domainNames: [domain.name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }

  #fileBehavior(sources: DashboardSiteProps): BehaviorOptions {
    return {
      // Under exactOptionalPropertyTypes the CDK's class is not assignable to its own interface.
      origin: S3BucketOrigin.withOriginAccessControl(this.bucket as IBucket, {
        originAccessControl: new S3OriginAccessControl(this, 'Access', { originAccessControlName: nameInRegion }),
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      // Caches each file as its own Cache-Control says.
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: this.#createHeaders(sources),
      functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: this.#createRouting() }],
    };
  }

  #createHeaders({ connectTo, page }: DashboardSiteProps): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'Headers', {
      responseHeadersPolicyName: nameInRegion,
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy({ connectTo, page }), override: true },
        strictTransportSecurity: {
          accessControlMaxAge: Duration.days(730),
          includeSubdomains: true,
          override: true,
        },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      },
      customHeadersBehavior: {
        customHeaders: (['cross-origin-opener-policy', 'permissions-policy'] as const).map((header) => ({
          header,
          value: fixedHeaders[header],
          override: true,
        })),
      },
    });
  }

  /**
   * Serves the page for every path that is neither a file nor of an endpoint for connections. CloudFront's error pages cannot do
   * it: they apply to the whole distribution and would replace the API's 403 and 404 with the page.
   */
  #createRouting(): EdgeFunction {
    return new EdgeFunction(this, 'Routing', {
      functionName: nameInRegion,
      comment: 'Serves the page for every path that is not a file',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(routing),
    });
  }
}

/**
 * CloudFront is global: the names that the CDK generates would be the same in every Region, and the function's in every stage
 * too (https://github.com/aws/aws-cdk/issues/21507).
 */
const nameInRegion = `${Aws.STACK_NAME}-${Aws.REGION}`;

const routing = `function handler({ request }) {
  if (${bearerPattern}.test(request.uri)) return { statusCode: 404, statusDescription: 'Not Found' };
  if (!new RegExp(${JSON.stringify(filePattern)}).test(request.uri)) request.uri = '/index.html';
  if (new RegExp(${JSON.stringify(docsPagePattern)}).test(request.uri)) request.uri += '.html';
  return request;
}
`;

/** Forwards everything except the Host header, by which API Gateway chooses the API. */
function apiBehavior(apiHost: string): BehaviorOptions {
  return {
    origin: new HttpOrigin(apiHost),
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
  };
}

function acknowledgeFindings(distribution: Distribution, { domain }: DashboardSiteProps): void {
  const findings = {
    'AwsSolutions-CFR1': 'Operators travel; access is decided by the API, not by the country.',
    'AwsSolutions-CFR2': 'The files are public, and the API behind it authenticates and throttles each request itself.',
    'AwsSolutions-CFR3': 'The API logs each request for data; the rest are public files.',
    ...(domain === undefined && {
      'AwsSolutions-CFR4': "CloudFront's own certificate allows no minimum TLS version; a custom domain does.",
    }),
  };
  for (const [id, reason] of Object.entries(findings)) Validations.of(distribution).acknowledge({ id, reason });
}
