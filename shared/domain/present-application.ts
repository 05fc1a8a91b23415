import { ServiceError } from '#shared/core/errors.ts';
import type { Application } from '#shared/table/application.ts';

/** The application, or 404 `application_not_found`. */
export function presentApplication(application: Application | undefined): Application {
  if (application !== undefined) return application;
  throw new ServiceError('application_not_found', { detail: 'There is no application with this id.' });
}
