import { CfnOutput, Stack } from 'aws-cdk-lib';
import { ApiMapping, DomainName, EndpointType, type HttpStage, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Construct } from 'constructs';
import type { OwnDomain } from './own-domain.ts';

export interface ApiDomainProps {
  /** With a certificate of the stack's own Region. */
  readonly domain: OwnDomain;
  readonly stage: HttpStage;
}

/** A host name of one's own for the API, which stays when the API behind it is another; TLS 1.2 and above. */
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
      description: `What the DNS record of ${domain.name} points to`,
    });
    new CfnOutput(stack, 'ApiDomainZone', {
      value: domainName.regionalHostedZoneId,
      description: 'The hosted zone of that target, for an alias record of Route 53',
    });
  }
}
