/**
 * Parked facts for the stand team: why each is parked, and how it can be corrected and sent. Pure.
 *
 * Invariants:
 * - The platform's reason decides. Records that the mirror lacks are considered only if the reason is unknown.
 * - A fact of another partner's lead shows nothing about the person (docs/laws.md#law-14). It is never sent as a fact of
 *   this partner.
 */
import type { DeadLetter, ParkedCause, ParkedMend } from '../../../contract/delivery.ts';
import type { ResourceName } from '../../event/mirror/resources.ts';
import { CAME_FROM_A_FILE, CANNOT_BE_READ, type ParkedFact } from '../../journal/facts/dead-letters.ts';

/** The data that a verdict needs. */
export type ParkedSight = {
  /** The current partner id as `journal.leads` uses it. */
  readonly present: string;
  /** The current assignment of this device. Null while unknown. */
  readonly here: { readonly touchpoint: string | null; readonly partner: string | null } | null;
  /** Whether the mirror has a record. Null while the mirror is incomplete. */
  readonly has: (resource: ResourceName, id: string) => boolean | null;
};

export type ParkedVerdict = Pick<DeadLetter, 'cause' | 'about' | 'mend'>;

/** A parked fact for the screen. `root` is its current lead. */
export function deadLetterOf(fact: ParkedFact, root: string | null, sight: ParkedSight): DeadLetter {
  const { id, kind, at, name, badge, reason, leadPartner, payload } = fact;
  const sealed = leadPartner !== null && leadPartner !== sight.present;
  const verdict = judgeParked(fact, sight);
  return {
    factId: id,
    kind,
    at,
    sealed,
    reason,
    ...verdict,
    lead: sealed || payload === null ? null : root,
    name: sealed ? null : name,
    badgeTail: sealed ? '' : badge.slice(-4),
    retryable: payload !== null && verdict.cause !== 'damaged',
  };
}

/** Why a fact is parked, which missing record is the cause, and how the fact can be corrected. */
export function judgeParked(fact: ParkedFact, sight: ParkedSight): ParkedVerdict {
  const cause = causeOf(fact, sight);
  return { cause, about: aboutOf(cause, fact, sight), mend: mendOf(cause, fact, sight) };
}

/** Those labels of a fact that the mirror shows as missing at the platform. */
export function labelsGone({ payload }: ParkedFact, { has }: ParkedSight): readonly string[] {
  const fields = payload?.fields ?? {};
  const labels = 'labels' in fields ? (fields.labels ?? []) : [];
  return labels.filter((label) => has('labels', label) === false);
}

/** The causes by the first field in an answer (`write-extension.ts` puts it before a colon). */
const FIELDS: readonly (readonly [RegExp, ParkedCause])[] = [
  [/^touchpoint/iu, 'touchpoint'],
  [/^partner/iu, 'partner'],
  [/^content/iu, 'content'],
  [/^(activity|location)/iu, 'activity'],
  [/^(fields\.)?labels?\b/iu, 'label'],
  [/^(visitor|badge)/iu, 'person'],
  [/^undoes/iu, 'undone'],
  [/^id\b/iu, 'conflict'],
  [/^fields\./iu, 'field'],
];

function causeOf(fact: ParkedFact, sight: ParkedSight): ParkedCause {
  const { payload, reason } = fact;
  if (reason === CANNOT_BE_READ) return 'damaged';
  if (payload === null) return 'erased';
  if (reason === CAME_FROM_A_FILE) return 'fromFile';
  const [field] = reason.split(':', 1);
  const named = FIELDS.find(([begins]) => reason.includes(':') && begins.test(field ?? ''))?.[1];
  if (named !== undefined) return named;
  const gone = (resource: ResourceName, id: string | null | undefined): boolean =>
    typeof id === 'string' && sight.has(resource, id) === false;
  if (gone('touchpoints', fact.touchpoint)) return 'touchpoint';
  if (gone('partners', fact.partner)) return 'partner';
  if (gone('contents', payload.content)) return 'content';
  if (gone('activities', payload.activity)) return 'activity';
  return labelsGone(fact, sight).length > 0 ? 'label' : 'other';
}

function aboutOf(cause: ParkedCause, fact: ParkedFact, sight: ParkedSight): string | null {
  switch (cause) {
    case 'touchpoint':
      return fact.touchpoint;
    case 'partner':
      return fact.partner;
    case 'content':
      return fact.payload?.content ?? null;
    case 'activity':
      return fact.payload?.activity ?? null;
    case 'label':
      return labelsGone(fact, sight).join(', ') || null;
    default:
      return null;
  }
}

function mendOf(cause: ParkedCause, fact: ParkedFact, sight: ParkedSight): ParkedMend | null {
  if (cause === 'label') return labelsGone(fact, sight).length > 0 ? 'withoutLabels' : null;
  const { here, present } = sight;
  if (cause !== 'touchpoint' && cause !== 'partner') return null;
  if (here === null || here.touchpoint === null || here.partner === null) return null;
  const isOurs = (fact.leadPartner ?? fact.partner) === present;
  const isAsBefore = here.touchpoint === fact.touchpoint && here.partner === fact.partner;
  return isOurs && !isAsBefore ? 'thisStand' : null;
}
