import * as v from 'valibot';
import { boundaryName, boundaryStatements } from '../../lib/bootstrap/permissions-boundary.ts';
import { fillIn } from '../../lib/bootstrap/policy-document.ts';
import { LocalError } from '../local-error.ts';
import type { TemplateResources } from '../template-resources.ts';
import type { PolicyDocument } from './statements.ts';

/** The pseudo parameters of the local account, as the template's own intrinsic functions resolve them. */
const localValues = { 'AWS::Partition': 'aws', 'AWS::Region': 'local', 'AWS::AccountId': '000000000000' };
const localBoundary = new RegExp(
  `^arn:aws:iam::000000000000:policy/${fillIn(boundaryName, { ...localValues, Qualifier: '([\\w-]{1,10})' })}$`,
);

const roleSchema = v.object({ PermissionsBoundary: v.optional(v.string()) });

/**
 * The permissions boundary of a role, which `npm run bootstrap` creates and which therefore is not in the template. The
 * resources have other names here, so the boundary allows any. Throws a LocalError if the role has another boundary.
 */
export function readBoundary(template: TemplateResources, role: string): PolicyDocument | undefined {
  const id = template.idsOf(['AWS::IAM::Role']).find((one) => template.arnOf(one) === role);
  const arn = id === undefined ? undefined : template.read(id, roleSchema).PermissionsBoundary;
  if (arn === undefined) return undefined;
  const [, Qualifier] = localBoundary.exec(arn) ?? [];
  if (Qualifier === undefined) {
    throw new LocalError(`The local run cannot evaluate the permissions boundary ${arn}, which the role ${id} has.`);
  }
  const Statement = fillIn(boundaryStatements({ prefix: '', eventBus: '*' }), { ...localValues, Qualifier });
  return { place: boundaryName, json: { Version: '2012-10-17', Statement } };
}
