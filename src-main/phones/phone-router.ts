/**
 * The contract as phones of the team get it.
 *
 * Invariants:
 * - A phone reaches the calls of `phoneContract` and no other: no other procedure is in its router.
 * - Each call of a phone is refused once the phone has no access.
 * - A phone is signed in as the member it was paired for, and never as the technician.
 */
import { type AnyContractRouter, isContractProcedure } from '@orpc/contract';
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
  const allowed = only(phoneContract, router) as PhoneParts;
  return os.router({
    ...allowed,
    staff: {
      ...allowed.staff,
      signIn: os.staff.signIn.handler(({ input, context }) =>
        staff.unlock(context.page, memberOf(context.page) ?? '', input.pin),
      ),
      lock: os.staff.lock.handler(({ context }) => {
        // The duty at the stand is not the phone's to end.
        staff.lock(context.page);
        return { locked: true };
      }),
    },
    leads: {
      ...allowed.leads,
      attachments: {
        ...allowed.leads.attachments,
        // The phone's browser asks for its own camera; the laptop's stays off.
        use: os.leads.attachments.use.handler(async function* ({ signal }) {
          yield { allowed: true as const };
          await aborted(signal);
        }),
      },
    },
  });
}

/** The procedures of `router` that `contract` names. */
function only(contract: AnyContractRouter, router: object): object {
  if (isContractProcedure(contract)) return router;
  const parts = new Map<string, object>(Object.entries(router));
  return Object.fromEntries(
    Object.entries(contract).map(([name, part]) => [name, only(part, parts.get(name) ?? {})]),
  );
}
