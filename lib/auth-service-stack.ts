import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { RootKey } from './root-key.ts';
import { ServiceApi } from './service-api.ts';
import type { Settings } from './settings.ts';
import { Table } from './table.ts';

export interface AuthServiceStackProps extends StackProps, Settings {}

/** The whole service in one stack, which fits any account and region unless `env` names one. */
export class AuthServiceStack extends Stack {
  readonly table: Table;
  readonly rootKey: RootKey;
  readonly serviceApi: ServiceApi;

  constructor(scope: Construct, id: string, props: AuthServiceStackProps) {
    super(scope, id, props);
    this.table = new Table(this, 'Table');
    this.rootKey = new RootKey(this, 'RootKey');
    this.serviceApi = new ServiceApi(this, 'ServiceApi', { ...props, table: this.table, rootKey: this.rootKey });
    this.#showOutputs();
  }

  #showOutputs(): void {
    new CfnOutput(this, 'ApiUrl', { value: this.serviceApi.stage.url, description: 'Base URL of the Service API' });
    new CfnOutput(this, 'TableName', { value: this.table.resource.tableName });
    new CfnOutput(this, 'RootKeyArn', { value: this.rootKey.key.keyArn });
  }
}
