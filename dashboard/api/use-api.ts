import { createContext, useContext } from 'react';
import type { Api } from './create-api.ts';

export const ApiContext = createContext<Api | undefined>(undefined);

/** The client of the Management API, of whoever is logged in. */
export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === undefined) throw new Error('useApi needs an ApiContext around it');
  return api;
}
