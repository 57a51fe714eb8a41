/**
 * The confirmation e-mail of a registration (docs/interface/resources.md#send-email and
 * docs/interface/endpoints.md#rule-3).
 */

import type { ApiClient } from './client.ts';
import { ApiError } from './error-class.ts';
import { flag, shape, text } from './fields.ts';
import { parseOrUndefined, stringifyJson } from './json.ts';
import { pathOf } from './path.ts';

const readResult = shape({ visitorId: text, type: text, force: flag, sent: flag });

/** What became of it. `sent` tells whether an e-mail went out now. */
export type SendEmailResult = NonNullable<ReturnType<typeof readResult>>;

/** Sending e-mail to the visitors of one event. */
export function sendEmailOf(client: Pick<ApiClient, 'post'>, expoId: string) {
  return {
    /**
     * `POST /sendemail/{expoId}`: the confirmation, once per recipient; with `force` again. @throws ApiError
     */
    confirmation: async (
      visitorId: string,
      { force = false }: { readonly force?: boolean } = {},
      signal?: AbortSignal,
    ): Promise<SendEmailResult> => {
      const body = stringifyJson({ visitorId, type: 'confirmation', force });
      const path = pathOf`/sendemail/${expoId}`;
      const result = readResult(parseOrUndefined(await client.post(path, body, signal)));
      if (result !== undefined) return result;
      throw new ApiError({ kind: 'retry', reached: 'maybe' }, 'the answer to POST says nothing of an e-mail');
    },
  };
}
