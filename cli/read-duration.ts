const short = /^(?:(\d{1,4})w)?(?:(\d{1,5})d)?(?:(\d{1,6})h)?(?:(\d{1,8})m)?(?:(\d{1,9})s)?$/;
const iso = /^P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/;
const secondsOf = [604_800, 86_400, 3600, 60, 1];

/** The seconds of a duration such as `90s`, `15m`, `1d12h`, `2w` or ISO 8601's `PT2H`; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  const [, ...parts] = /\d/.test(text) ? (short.exec(text) ?? iso.exec(text) ?? []) : [];
  if (parts.length === 0) return undefined;
  return parts.reduce((seconds, part, index) => seconds + Number(part ?? 0) * (secondsOf[index] ?? 0), 0);
}
