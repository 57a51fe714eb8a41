/**
 * The demo's own late comers: a demo badge nobody is registered with gets its visitor a while after it was tapped, as if
 * somebody at the registration desk had just typed it in.
 *
 * Invariants: only badges of `assets/demo/badges.json` that say `unknown`; through the platform's own operation, so that
 * every rule of a registration holds; what fails is tried again at the next look.
 */
import type { Store } from '../store/store.ts';
import { demoBadges, demoExpoId } from './demo.ts';

/** How long after the tap somebody registers, and how often is looked, in milliseconds. */
const registersAfter = 15_000;
const lookEvery = 3_000;

/** Who it turns out to be. */
const lateComers: Readonly<Record<string, { readonly firstName: string; readonly lastName: string }>> = {
  stranger: { firstName: 'Noor', lastName: 'Haddad' },
  walkin: { firstName: 'Jonas', lastName: 'Keller' },
};

/** Creates a visitor by the platform's own operation; false when it was refused. */
export type Register = (visitor: Readonly<Record<string, unknown>>) => Promise<boolean>;

/** Looks once: registers whoever tapped long enough ago. Returns how many were registered. */
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

/** Looks again and again. Returns the way to stop. */
export function keepRegistering(
  look: () => Promise<unknown>,
  onDefect: (error: unknown) => void,
): () => void {
  const timer = setInterval(() => void look().catch(onDefect), lookEvery);
  timer.unref();
  return () => clearInterval(timer);
}
