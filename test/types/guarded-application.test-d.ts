import type { AppId } from '#shared/contract/fields.ts';
import { decideAccess } from '#shared/domain/access/decide-access.ts';
import { authorize } from '#shared/domain/request/authorize.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import { readCurrentAccess } from '#shared/table/items/access-item.ts';
import { readApplication } from '#shared/table/items/application-item.ts';
import type { User } from '#shared/table/items/user-item.ts';

declare const context: RequestContext;
declare const user: User;
const [appId, at] = ['billing' as AppId, new Date()];

// An operation reads nothing of an application before its caller is authorized.
const guarded = await readApplication(appId);
const application = await authorize(context, guarded, at);
application.rolloutPercent;
// @ts-expect-error It is guarded until the caller is authorized.
guarded.rolloutPercent;

const { application: alsoSealed, access } = await readCurrentAccess({ appId, userId: user.userId });
decideAccess({ application: await authorize(context, alsoSealed, at), user, access }, at);
// @ts-expect-error It is guarded until the caller is authorized.
decideAccess({ application: alsoSealed, user, access }, at);
