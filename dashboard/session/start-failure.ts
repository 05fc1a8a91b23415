import { element, plainAlert, plainButton, plainPage } from './plain-elements.ts';

/** Shown if the settings or the dashboard itself cannot be read. */
export function showStartFailure(place: Element, error: unknown): void {
  const advice = error instanceof Error ? error.message : 'Try again in a moment.';
  place.replaceChildren(
    plainPage(
      'Not available',
      element('h1', {}, 'Access administration'),
      plainAlert('alert', "The dashboard can't start", advice),
      plainButton('Try again', () => location.reload()),
    ),
  );
}
