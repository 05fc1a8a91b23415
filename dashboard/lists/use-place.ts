import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { placeParameter, sortParameter } from './use-filter.ts';

/** The order and the page of a list that is loaded as a whole, as texts; `''` for the first of each. */
export interface Place {
  readonly sort: string;
  readonly page: string;
}

const start: Place = { sort: '', page: '' };

/** Keeps the place in a list in the URL, so that it survives Back and a reload, or in memory, as for a list in a dialog. */
export function usePlace(isInUrl: boolean): [place: Place, go: (place: Place) => void] {
  const [parameters, setParameters] = useSearchParams();
  const [kept, keep] = useState(start);
  if (!isInUrl) return [kept, keep];
  const place = { sort: parameters.get(sortParameter) ?? '', page: parameters.get(placeParameter) ?? '' };
  const go = ({ sort, page }: Place) => {
    const next = new URLSearchParams(parameters);
    for (const [name, value] of [
      [sortParameter, sort],
      [placeParameter, page],
    ] as const) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    setParameters(next);
  };
  return [place, go];
}
