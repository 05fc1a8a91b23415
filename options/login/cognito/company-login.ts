import { variable } from '#shared/core/config.ts';
import type { CompanyProvider } from './company-provider.ts';

/** The provider of a company; undefined if the deployment has none, or the process does not need it. */
export function companyProvider(): CompanyProvider | undefined {
  const provider = variable('LOGIN_PROVIDER');
  return provider === undefined ? undefined : (JSON.parse(provider) as CompanyProvider);
}

/** Whether whoever has this address logs in at the provider of a company, and so needs no password here. */
export function hasCompanyLogin(email: string | null): boolean {
  const { domains = [] } = companyProvider() ?? {};
  return email !== null && domains.includes(domainOf(email));
}

/** The part of an e-mail address after the last `@`, in lower case; the whole text if it has none. */
export function domainOf(email: string): string {
  return inLowerCase(email.slice(email.lastIndexOf('@') + 1));
}

/** Only ASCII: other letters become one of them in lower case, such as the Kelvin sign, and would name somebody else. */
export function inLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
