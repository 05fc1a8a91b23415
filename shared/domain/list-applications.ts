import type { ApplicationView, Page } from '#shared/contract/management.ts';
import { applicationOf } from '#shared/table/application.ts';
import { ranges } from '#shared/table/keys.ts';
import type { PageRequest } from '#shared/table/read-page.ts';
import { applicationView } from './application-view.ts';
import { listPage } from './list-page.ts';

/** All applications, by id. */
export async function listApplications(request: PageRequest): Promise<Page<ApplicationView>> {
  return listPage(ranges.applications(), request, (item) => {
    const application = applicationOf(item);
    return application && applicationView(application);
  });
}
