/** The settings that the stack publishes in `/config.json`. */
export interface DashboardConfig {
  /** The operators' OpenID provider, and the dashboard's client there. */
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  /** Where applications reach the Service API. Default: the dashboard's own origin. */
  readonly serviceUrl?: string;
  /** The stage of the deployment, such as `prod`, and the version of the service. */
  readonly stage?: string;
  readonly version?: string;
}

/** Reads the settings; throws a readable error if they are missing. */
export async function readConfig(): Promise<DashboardConfig> {
  // The page preloads it, and its own headers say that it must be revalidated.
  const response = await fetch('/config.json').catch(() => {
    throw new Error("Can't reach the service. Check your connection.");
  });
  const config: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  if (isConfig(config)) return config;
  throw new Error(
    'The settings of this dashboard (/config.json) are missing or invalid. Deploy it again, or contact its operator.',
  );
}

function isConfig(value: unknown): value is DashboardConfig {
  if (typeof value !== 'object' || value === null) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  return ['issuer', 'clientId', 'scope'].every((name) => typeof members.get(name) === 'string');
}
