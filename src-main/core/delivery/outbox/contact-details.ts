/**
 * Requests missing contact details from the hub, together with receipts (docs/hub.md#what-a-device-holds),
 * and stores them with the lead.
 *
 * Invariants:
 * - Only leads of the device's partner are completed, after their tap reached the hub (docs/laws.md#law-14).
 * - While the hub returns no details of a person, the interval between requests grows. A failed request does
 *   not extend it.
 */
import { snapshotOf, type VisitorSnapshot } from '../../event/mirror/people.ts';
import { stringifyJson } from '../../foundations/api/json.ts';
import type { Clock, Random } from '../../foundations/ports.ts';
import { backoffMs } from '../../foundations/time/backoff.ts';
import { DETAILS_AGAIN } from '../../foundations/time/times.ts';
import type { Leads } from '../../journal/facts/leads.ts';

/** Visitors per request. */
const ASKED_AT_ONCE = 100;
/** Leads per query of the journal. */
const WINDOW = 1_000;

export type ContactDetails = {
  /** The visitors whose details are requested now. */
  readonly next: () => readonly string[];
  /** Stores the hub's answer: the records of the requested visitors. Visitors without a record are requested later. */
  readonly keep: (asked: readonly string[], records: readonly Readonly<Record<string, unknown>>[]) => void;
};

/** The contact details of one device. `partner`: as in `lead-projection.ts`. */
export function createContactDetails({
  leads,
  partner,
  clock,
  random,
  onKept,
}: {
  readonly leads: Pick<Leads, 'lackingDetails' | 'keepDetails'>;
  readonly partner: () => string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly random: Random;
  /** Called after a lead got contact details. */
  readonly onKept: () => void;
}): ContactDetails {
  const unanswered = new Map<string, { readonly times: number; readonly dueAt: number }>();
  let after = '';
  return {
    next: () => {
      const lacking = leads.lackingDetails(partner(), after, WINDOW);
      after = lacking.length < WINDOW ? '' : (lacking.at(-1)?.lead ?? '');
      const now = clock.monotonic();
      return lacking
        .map(({ visitor }) => visitor)
        .filter((visitor) => (unanswered.get(visitor)?.dueAt ?? 0) <= now)
        .slice(0, ASKED_AT_ONCE);
    },
    keep: (asked, records) => {
      const told = new Map(records.flatMap((record) => snapshotIn(record)).map((one) => [one.id, one]));
      let changed = 0;
      for (const visitor of asked) {
        const snapshot = told.get(visitor);
        if (snapshot === undefined) {
          const times = 1 + (unanswered.get(visitor)?.times ?? 0);
          const dueAt = clock.monotonic() + backoffMs(DETAILS_AGAIN, times, random.fraction());
          unanswered.set(visitor, { times, dueAt });
        } else {
          unanswered.delete(visitor);
          changed += leads.keepDetails(partner(), snapshot);
        }
      }
      if (changed > 0) onKept();
    },
  };
}

function snapshotIn(body: Readonly<Record<string, unknown>>): readonly VisitorSnapshot[] {
  const { id } = body;
  return typeof id === 'string' ? [snapshotOf({ id, revision: 0n, body, text: stringifyJson(body) })] : [];
}
