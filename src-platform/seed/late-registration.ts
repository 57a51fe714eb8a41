/**
 * Late registrations of the demo: an unknown demo badge gets its visitor some time after it was tapped, as if someone at
 * the registration desk had just entered it.
 *
 * Invariants: only badges that `assets/demo/badges.json` marks as `unknown` are registered; this uses the platform's
 * own operation, so that every rule for registrations applies; a failure is retried at the next check.
 */
import type { Store } from '../store/store.ts';
import { demoBadges, demoExpoId } from './demo.ts';

/** Delay between tap and registration, and interval of the checks, in milliseconds. */
const registersAfter = 15_000;
const lookEvery = 3_000;

/** The visitors who get the unknown badges, by the alias of the badge. */
const lateComers: Readonly<Record<string, { readonly firstName: string; readonly lastName: string }>> = {
  stranger: { firstName: 'Noor', lastName: 'Haddad' },
  walkin: { firstName: 'Jonas', lastName: 'Keller' },
};

/** Creates a visitor through the platform's own operation; false if it was refused. */
export type Register = (visitor: Readonly<Record<string, unknown>>) => Promise<boolean>;

/** One check: registers every badge that was tapped long enough ago. Returns how many were registered. */
export async function registerLateComers(store: Store, register: Register, now: Date): Promise<number> {
  const due = new Date(now.getTime() - registersAfter).toISOString();
  let registered = 0;
  for (const { code, alias } of (await demoBadges()).filter(({ kind }) => kind === 'unknown')) {
    const known = await store.db
      .selectFrom('badge')
      .select('visitor_id')
      .where('expo_id', '=', demoExpoId)
      .where('code', '=', code)
      .executeTakeFirst();
    const tapped = known
      ? undefined
      : await store.db
          .selectFrom('fact')
          .select('id')
          .where('expo_id', '=', demoExpoId)
          .where('badge', '=', code)
          .where('at', '<=', due)
          .executeTakeFirst();
    const person = lateComers[alias];
    if (tapped === undefined || person === undefined) continue;
    const visitor = { ...person, company: 'Late & Co.', language: 'en', registrationState: 'registered' };
    if (await register({ ...visitor, badges: [{ type: 'nfc', code }] })) registered += 1;
  }
  return registered;
}

/** Checks repeatedly. Returns the function that stops it. */
export function keepRegistering(
  look: () => Promise<unknown>,
  onDefect: (error: unknown) => void,
): () => void {
  const timer = setInterval(() => void look().catch(onDefect), lookEvery);
  timer.unref();
  return () => clearInterval(timer);
}
