import * as v from 'valibot';

const pattern = /^P(?=\d|T\d)(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/;

/** A duration of days, hours, minutes and seconds (RFC 3339 appendix A), such as `P1DT12H`, read as seconds. */
export const durationSchema = v.pipe(
  v.string('must be a string'),
  v.regex(pattern, 'must be a duration such as PT24H or P7D'),
  v.metadata({ format: 'duration' }),
  v.transform(toSeconds),
);

function toSeconds(text: string): number {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = pattern.exec(text)?.map((part) => Number(part ?? 0)) ?? [];
  return days * 86_400 + hours * 3600 + minutes * 60 + seconds;
}
