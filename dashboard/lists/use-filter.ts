import { useSearchParams } from 'react-router';

/**
 * A filter of a list, kept in a parameter of the URL so that it can be bookmarked and survives Back; `''` if not set. Changing
 * it returns to the first page.
 */
export function useFilter(name: string): [value: string, set: (value: string | undefined) => void] {
  const [parameters, setParameters] = useSearchParams();
  const set = (value: string | undefined) =>
    setParameters(
      (current) => {
        const next = new URLSearchParams(current);
        for (const place of placeParameters) next.delete(place);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  return [parameters.get(name)?.trim() ?? '', set];
}

/** Clears filters and returns to the first page; undefined while none of them is set. */
export function useClearFilters(...names: readonly string[]): (() => void) | undefined {
  const [parameters, setParameters] = useSearchParams();
  if (!names.some((name) => parameters.get(name))) return undefined;
  const left = [...placeParameters, ...names];
  const kept = [...parameters].filter(([name]) => !left.includes(name));
  return () => setParameters(new URLSearchParams(kept), { replace: true });
}

/** The parameter that keeps the page of the list of a page or tab. */
export const pageParameter = 'cursor';
/** The same of a list that is loaded as a whole, and its order. */
export const placeParameter = 'page';
export const sortParameter = 'sort';
const placeParameters: readonly string[] = [pageParameter, placeParameter];
