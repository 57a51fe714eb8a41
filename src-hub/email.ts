/**
 * The confirmation e-mail that a visitor requests at a device of the hub. The platform behind the hub sends it.
 *
 * Invariant: the hub sends one request to the platform for each request of a device. While the platform cannot be
 * reached, the device keeps the request and retries (`core/stand/visit/emails.ts`).
 */
import type { ApiClient } from '../src-main/core/foundations/api/client.ts';
import { ApiError, isRefusal } from '../src-main/core/foundations/api/error-class.ts';
import { sendEmailOf } from '../src-main/core/foundations/api/send-email.ts';
import type { AskForEmail } from '../src-platform/hub/operations.ts';

/** Requests the e-mail from the platform behind the hub. */
export function createAskForEmail(client: Pick<ApiClient, 'post'>, expoId: string): AskForEmail {
  const upstream = sendEmailOf(client, expoId);
  return async (visitorId, force) => {
    try {
      const sent = await upstream.confirmation(visitorId, { force });
      return sent ? 'sent' : 'notSent';
    } catch (error) {
      if (isRefusal(error)) return 'refused';
      if (error instanceof ApiError) return 'away';
      throw error;
    }
  };
}
