import { ServiceError } from '#shared/core/errors.ts';

interface Route {
  readonly method: string;
  readonly path: string;
}

/** The refusal of a path that does not exist, or of a method that a path lacks. */
export function unknownRoute(routes: readonly Route[], method: string, path: string): ServiceError {
  const allowed = routes.filter((route) => pathPattern(route.path).test(path)).map((route) => route.method);
  if (allowed.length === 0) return new ServiceError('route_not_found', { detail: 'There is nothing at this path.' });
  const allow = allowed.join(', ');
  return new ServiceError('route_not_found', {
    detail: `This path does not take ${method}. It takes ${allow}.`,
    headers: { allow },
  });
}

function pathPattern(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
}
