/**
 * `POST /sendemail/{expoId}` at a hub: handed to the platform behind it, whose word is the answer.
 *
 * Invariants: the hub sends no e-mail itself; "sent" is the platform's word; while it cannot be asked, the answer is a 503,
 * so that the device keeps the question.
 */
import type { z } from 'zod';
import { ApiError, badRequest } from '../http/errors.ts';
import type { Operation } from '../http/operation.ts';
import { emailRequest, emailResult } from '../mail/operation.ts';

/** Asks the platform for the confirmation of a visitor. `away`: it cannot be asked now. */
export type AskForEmail = (
  visitorId: string,
  force: boolean,
) => Promise<'sent' | 'notSent' | 'refused' | 'away'>;

/** The operation that hands the question on. */
export function forwardedEmailOperation(ask: AskForEmail): Operation {
  return {
    method: 'POST',
    path: '/sendemail/{expoId}',
    tag: 'sendemail',
    summary: 'Have the platform behind the hub send the confirmation e-mail of a visitor',
    documented: false,
    right: 'write',
    body: emailRequest,
    answer: emailResult,
    onExpo: true,
    handle: async ({ body }) => {
      const { visitorId, type, force = false } = body as z.infer<typeof emailRequest>;
      const became = await ask(visitorId, force);
      if (became === 'away') throw new ApiError(503, 'The platform behind this hub cannot be asked now');
      if (became === 'refused') throw badRequest('The platform sends this visitor no e-mail');
      return { visitorId, type, force, sent: became === 'sent' };
    },
  };
}
