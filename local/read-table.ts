import type {
  AttributeDefinition,
  GlobalSecondaryIndex,
  KeySchemaElement,
  StreamViewType,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { LocalError } from './local-error.ts';
import type { TemplateResources } from './template-resources.ts';

/** The stack's table, in the types of DynamoDB's CreateTable. */
export interface TableModel {
  readonly tableName: string;
  readonly keySchema: KeySchemaElement[];
  readonly attributes: AttributeDefinition[];
  readonly indexes: GlobalSecondaryIndex[];
  readonly streamViewType?: StreamViewType | undefined;
  readonly ttlAttribute?: string | undefined;
}

const keySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }));

const tableSchema = v.object({
  KeySchema: keySchema,
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) })),
  GlobalSecondaryIndexes: v.optional(
    v.array(
      v.object({
        IndexName: v.string(),
        KeySchema: keySchema,
        Projection: v.object({
          ProjectionType: v.picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
          NonKeyAttributes: v.optional(v.array(v.string())),
        }),
      }),
    ),
    [],
  ),
  StreamSpecification: v.optional(
    v.object({ StreamViewType: v.picklist(['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']) }),
  ),
  TimeToLiveSpecification: v.optional(v.object({ AttributeName: v.string(), Enabled: v.boolean() })),
});

/** Reads the stack's only table; the CDK's TableV2 is a GlobalTable, with the same properties as a Table here. */
export function readTable(resources: TemplateResources, tableName: string): TableModel {
  const [id, ...others] = resources.idsOf(['AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table']);
  if (id === undefined || others.length > 0) throw new LocalError('The local run supports only stacks with one table.');
  const table = resources.read(id, tableSchema);
  const ttl = table.TimeToLiveSpecification;
  return {
    tableName,
    keySchema: table.KeySchema,
    attributes: table.AttributeDefinitions,
    indexes: table.GlobalSecondaryIndexes,
    streamViewType: table.StreamSpecification?.StreamViewType,
    ttlAttribute: ttl?.Enabled ? ttl.AttributeName : undefined,
  };
}
