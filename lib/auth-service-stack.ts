import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ManageApi, type OperatorTokens } from './manage-api.ts';
import { OperatorLogin } from './operator-login.ts';
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
  readonly manageApi: ManageApi;

  constructor(scope: Construct, id: string, props: AuthServiceStackProps) {
    super(scope, id, props);
    this.table = new Table(this, 'Table');
    this.rootKey = new RootKey(this, 'RootKey');
    this.serviceApi = new ServiceApi(this, 'ServiceApi', { ...props, table: this.table, rootKey: this.rootKey });
    const tokens = props.operatorTokens ?? this.#createLogin(props);
    this.manageApi = new ManageApi(this, 'ManageApi', {
      table: this.table,
      rootKey: this.rootKey,
      httpApi: this.serviceApi.httpApi,
      tokens,
      changeRetentionDays: props.changeRetentionDays,
    });
    this.#showOutputs(tokens);
  }

  /** Its client's id is shown, as the dashboard needs it; that of another provider's client is for others to know. */
  #createLogin(props: AuthServiceStackProps): OperatorLogin {
    const login = new OperatorLogin(this, 'OperatorLogin', props);
    new CfnOutput(this, 'OidcClientId', { value: login.audience, description: "The dashboard's client" });
    return login;
  }

  #showOutputs(tokens: OperatorTokens): void {
    new CfnOutput(this, 'ApiUrl', { value: this.serviceApi.stage.url, description: 'Base URL of the Service API' });
    new CfnOutput(this, 'TableName', { value: this.table.resource.tableName });
    new CfnOutput(this, 'RootKeyArn', { value: this.rootKey.key.keyArn });
    new CfnOutput(this, 'ManageUrl', {
      value: this.manageApi.url.url,
      description: 'The Management API, signed by SigV4',
    });
    new CfnOutput(this, 'OidcIssuer', { value: tokens.issuer, description: 'Who issues the tokens of operators' });
  }
}
