import type { AppId } from '#shared/contract/ids.ts';
import type { ApplicationView } from '#shared/contract/management.ts';
import { readApplication } from '#shared/table/application.ts';
import { applicationView } from './application-view.ts';
import { presentApplication } from './present-application.ts';

/** One application, or 404. */
export async function getApplication({ appId }: { readonly appId: AppId }): Promise<ApplicationView> {
  return applicationView(presentApplication(await readApplication(appId)));
}
