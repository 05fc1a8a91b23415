import { useSearchParams } from 'react-router';

/**
 * What a list is narrowed to, as a parameter of the URL, so that it can be bookmarked and survives Back; `''` without one. With
 * another filter the list begins at its first page.
 */
export function useFilter(name: string): [value: string, narrow: (value: string | undefined) => void] {
  const [parameters, setParameters] = useSearchParams();
  const narrow = (value: string | undefined) =>
    setParameters(
      (current) => {
        const next = new URLSearchParams(current);
        next.delete(pageParameter);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  return [parameters.get(name)?.trim() ?? '', narrow];
}

/** The parameter that keeps the page of the list of a page or tab. */
export const pageParameter = 'cursor';
