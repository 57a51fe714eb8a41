/**
 * The contract as the team's phones can use it.
 *
 * Invariants:
 * - A phone reaches the calls of `phoneContract` and no other: oRPC serves what the implemented contract names.
 * - Each call of a phone without access is refused.
 * - A phone is signed in as the member it was paired for, and never as the technician.
 */
import { implement, ORPCError } from '@orpc/server';
import { type Asker, aborted, type KioskRouter } from '../core/router.ts';
import type { Page } from '../core/team/staff/sessions.ts';
import type { Staff } from '../core/team/staff/staff.ts';
import { phoneContract } from './phone-contract.ts';

type PhoneParts = Pick<KioskRouter, keyof typeof phoneContract>;

/** The router of phones. `memberOf`: the member of a phone that has access, by its page. */
export function createPhoneRouter(
  router: PhoneParts,
  staff: Pick<Staff, 'unlock' | 'lock'>,
  memberOf: (page: Page) => string | null,
) {
  const os = implement(phoneContract)
    .$context<Asker>()
    .use(({ context, next }) => {
      if (memberOf(context.page) === null) throw new ORPCError('UNAUTHORIZED');
      return next();
    });
  return os.router({
    device: router.device,
    staff: {
      ...router.staff,
      signIn: os.staff.signIn.handler(({ input, context }) =>
        staff.unlock(context.page, memberOf(context.page) ?? '', input.pin),
      ),
      lock: os.staff.lock.handler(({ context }) => {
        // A phone does not end the duty at the stand.
        staff.lock(context.page);
        return { locked: true };
      }),
    },
    leads: {
      ...router.leads,
      attachments: {
        ...router.leads.attachments,
        // The phone's browser asks for permission to use its own camera; the laptop's camera stays off.
        use: os.leads.attachments.use.handler(async function* ({ signal }) {
          yield { allowed: true as const };
          await aborted(signal);
        }),
      },
    },
  });
}
