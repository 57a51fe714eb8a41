/**
 * The contract of the rehearsal, answered: for the technician, because it takes taps and makes faults.
 */
import { implement, ORPCError } from '@orpc/server';
import { rehearsalCalls } from '../contract/rehearsal.ts';
import type { Asker } from '../core/router.ts';
import type { Staff } from '../core/team/staff/staff.ts';
import type { RehearsalService } from './rehearsal.ts';

/** What is asked of the rehearsal. */
export function createRehearsalRouter(rehearsal: RehearsalService, staff: Pick<Staff, 'session'>) {
  const os = implement(rehearsalCalls)
    .$context<Asker>()
    .use(({ context: { page }, next }) => {
      if (staff.session(page)?.technician !== true) throw new ORPCError('UNAUTHORIZED');
      return next();
    });
  return {
    watch: os.watch.handler(({ input, signal }) => rehearsal.watch(input.samples, signal)),
    begin: os.begin.handler(() => ({ begun: rehearsal.begin() })),
    skip: os.skip.handler(({ input }) => ({ skipped: rehearsal.skip(input.step, input.reason) })),
    drop: os.drop.handler(() => ({ dropped: rehearsal.drop() })),
    sheet: os.sheet.handler(({ input }) => rehearsal.sheet(input.id)),
  };
}
