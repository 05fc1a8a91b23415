import { createContext, useContext } from 'react';
import type { DashboardConfig } from './read-config.ts';

export const ConfigContext = createContext<DashboardConfig | undefined>(undefined);

/** The dashboard's settings. */
export function useConfig(): DashboardConfig {
  const config = useContext(ConfigContext);
  if (config === undefined) throw new Error('useConfig needs a ConfigContext around it');
  return config;
}
