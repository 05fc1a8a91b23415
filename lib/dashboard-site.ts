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
import { contentSecurityPolicy, docsPagePattern, filePattern, fixedHeaders } from './dashboard-delivery.ts';
import type { OwnDomain } from './own-domain.ts';

export interface DashboardSiteProps {
  /** The host name of what answers below `/api/`. */
  readonly apiHost: string;
  /** The origins that the login asks for its settings and for tokens. */
  readonly connectTo: readonly string[];
  /** With a certificate of us-east-1, where CloudFront looks for them. Default: the distribution's own name alone. */
  readonly domain?: OwnDomain | undefined;
}

/**
 * The administration dashboard behind CloudFront, with the API below `/api/` of the same origin, so that no page of
 * another origin is ever let in. What comes that way may be signed for one of `authorities`. The distribution needs the
 * API as such but none of its routes and functions; so functions may name the distribution, and no circle arises.
 */
export class DashboardSite extends Construct {
  readonly bucket: Bucket;
  readonly distribution: Distribution;
  /** The host names that it answers to. */
  readonly authorities: readonly string[];
  /** The address of the dashboard, and so where a login returns to. */
  readonly urls: readonly string[];

  constructor(scope: Construct, id: string, props: DashboardSiteProps) {
    super(scope, id);
    this.bucket = this.#createBucket();
    this.distribution = this.#createDistribution(props);
    this.authorities = [...(props.domain ? [props.domain.name] : []), this.distribution.distributionDomainName];
    this.urls = this.authorities.map((name) => `https://${name}/`);
  }

  /** It stays when the stack goes: only what is empty can be deleted, and nothing here may empty a bucket. */
  #createBucket(): Bucket {
    const bucket = new Bucket(this, 'Files', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'It holds public files, and only CloudFront may read it.',
    });
    return bucket;
  }

  #createDistribution(props: DashboardSiteProps): Distribution {
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'The dashboard of auth-service',
      defaultRootObject: 'index.html',
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: this.#deliverFiles(props),
      additionalBehaviors: { '/api/*': passOn(props.apiHost) },
      ...this.#ownDomain(props.domain),
    });
    acknowledgeFindings(distribution, props);
    return distribution;
  }

  /** With CloudFront's own certificate its oldest TLS is not ours to choose. */
  #ownDomain(domain: OwnDomain | undefined) {
    if (domain === undefined) return {};
    return {
      domainNames: [domain.name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }

  #deliverFiles({ connectTo }: DashboardSiteProps): BehaviorOptions {
    return {
      // The class declares an optional property less strictly than its own interface.
      origin: S3BucketOrigin.withOriginAccessControl(this.bucket as IBucket, {
        originAccessControl: new S3OriginAccessControl(this, 'Access', { originAccessControlName: nameInRegion }),
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      // It keeps each file for as long as the file's own Cache-Control says.
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: this.#createHeaders(connectTo),
      functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: this.#createRouting() }],
    };
  }

  #createHeaders(connectTo: readonly string[]): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'Headers', {
      responseHeadersPolicyName: nameInRegion,
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy(connectTo), override: true },
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
   * Every path that names no file is one of the dashboard's own pages. Not by CloudFront's error pages, which hold for
   * the whole distribution and would put the page in place of the API's 403 and 404.
   */
  #createRouting(): EdgeFunction {
    return new EdgeFunction(this, 'Routing', {
      comment: 'The page for every path that names no file',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(routing),
    });
  }
}

/** CloudFront knows no regions, and the names that the CDK makes up would be the same in all of them. */
const nameInRegion = `${Aws.STACK_NAME}-${Aws.REGION}`;

const routing = `function handler({ request }) {
  if (!new RegExp(${JSON.stringify(filePattern)}).test(request.uri)) request.uri = '/index.html';
  if (new RegExp(${JSON.stringify(docsPagePattern)}).test(request.uri)) request.uri += '.html';
  return request;
}
`;

/** The host is left out because API Gateway chooses the API by it; all else that a client sends arrives. */
function passOn(apiHost: string): BehaviorOptions {
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
    'AwsSolutions-CFR1': 'Operators may travel; the API decides who is let in, not the country.',
    'AwsSolutions-CFR2': 'The files are public, and the API behind it checks and throttles each request by itself.',
    'AwsSolutions-CFR3': "Whoever reads or changes data is in the API's access log; the rest are public files.",
    ...(domain === undefined && {
      'AwsSolutions-CFR4': "CloudFront's own certificate allows no choice of TLS; a domain of one's own does.",
    }),
  };
  for (const [id, reason] of Object.entries(findings)) Validations.of(distribution).acknowledge({ id, reason });
}
