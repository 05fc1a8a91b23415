import { CfnOutput, Stack } from 'aws-cdk-lib';
import { ApiMapping, DomainName, EndpointType, type HttpStage, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Construct } from 'constructs';
import type { OwnDomain } from '../settings/api-settings.ts';

export interface ApiDomainProps {
  /** The certificate must be in the stack's Region. */
  readonly domain: OwnDomain;
  readonly stage: HttpStage;
}

/** A custom domain for the API, which stays the same when the API behind it is replaced; TLS 1.2 and above. */
export class ApiDomain extends Construct {
  constructor(scope: Construct, id: string, { domain, stage }: ApiDomainProps) {
    super(scope, id);
    const domainName = new DomainName(this, 'Name', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new ApiMapping(this, 'Mapping', { api: stage.api, domainName, stage });
    const stack = Stack.of(this);
    new CfnOutput(stack, 'ApiDomainTarget', {
      value: domainName.regionalDomainName,
      description: `Target of the DNS record of ${domain.name}`,
    });
    new CfnOutput(stack, 'ApiDomainZone', {
      value: domainName.regionalHostedZoneId,
      description: 'Hosted zone of that target, for an alias record in Route 53',
    });
  }
}
