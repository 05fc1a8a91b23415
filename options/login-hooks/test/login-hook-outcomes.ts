import { hydraPayload } from '#test/support/hook-payloads.ts';
import type { OptionOutcomes } from '#test/support/option-outcomes.ts';
import { sendWithToken } from '#test/support/send-with-token.ts';

/** Hydra gets 401 for its own token. */
export const outcomes: OptionOutcomes = {
  problems: (_, service) => {
    const ask = (headers: Record<string, string>) =>
      sendWithToken(service(), ['POST', '/hooks/hydra'], { headers, body: hydraPayload() });
    return {
      token_missing: () => ask({}),
      token_invalid: () => ask({ authorization: 'Bearer svt_c1_gateway' }),
    };
  },
};
