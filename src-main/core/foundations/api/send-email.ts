/**
 * The confirmation e-mail of a registration (docs/interface/resources.md#send-email and
 * docs/interface/endpoints.md#rule-3).
 */
import type { ApiClient } from './client.ts';
import { ApiError } from './error-class.ts';
import { parseOrUndefined, stringifyJson } from './json.ts';
import { pathOf } from './path.ts';

/** Sends e-mail to the visitors of one event. */
export function sendEmailOf(client: Pick<ApiClient, 'post'>, expoId: string) {
  return {
    /**
     * `POST /sendemail/{expoId}`: requests the confirmation. The platform sends it to a visitor only once, unless
     * `force` is true. Returns true if this call sent an e-mail. @throws ApiError
     */
    confirmation: async (
      visitorId: string,
      { force = false }: { readonly force?: boolean } = {},
      signal?: AbortSignal,
    ): Promise<boolean> => {
      const body = stringifyJson({ visitorId, type: 'confirmation', force });
      const result = parseOrUndefined(await client.post(pathOf`/sendemail/${expoId}`, body, signal));
      if (typeof result !== 'object' || result === null || Array.isArray(result)) {
        const message = 'the answer to POST does not say whether an e-mail was sent';
        throw new ApiError({ kind: 'retry', reached: 'maybe' }, message);
      }
      return 'sent' in result && result.sent === true;
    },
  };
}
