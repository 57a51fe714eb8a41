/**
 * Parked facts as the stand team sees them: why each is set aside, and how it could be sent otherwise. Pure.
 *
 * Invariants: what the platform said decides, what the mirror lacks is only asked where it said nothing that is
 * understood; a fact of another partner's lead tells nothing of anybody (docs/laws.md#law-14) and is never sent as ours.
 */
import type { DeadLetter, ParkedCause, ParkedMend } from '../../../contract/delivery.ts';
import type { ResourceName } from '../../event/mirror/resources.ts';
import { CAME_FROM_A_FILE, CANNOT_BE_READ, type ParkedFact } from '../../journal/facts/dead-letters.ts';

/** What a verdict depends on. */
export type ParkedSight = {
  /** The present partner as `journal.leads` knows partners. */
  readonly present: string;
  /** What this device is now; null while nobody knows. */
  readonly here: { readonly touchpoint: string | null; readonly partner: string | null } | null;
  /** Whether the mirror has a record; null while it is not whole. */
  readonly has: (resource: ResourceName, id: string) => boolean | null;
};

export type ParkedVerdict = Pick<DeadLetter, 'cause' | 'about' | 'mend'>;

/** A parked fact as it is told. `root` is the lead it belongs to by now. */
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

/** Why a fact is set aside, what it names that is gone, and how it could be sent otherwise. */
export function judgeParked(fact: ParkedFact, sight: ParkedSight): ParkedVerdict {
  const cause = causeOf(fact, sight);
  return { cause, about: aboutOf(cause, fact, sight), mend: mendOf(cause, fact, sight) };
}

/** The labels of a fact that the platform has no longer. */
export function labelsGone({ payload }: ParkedFact, { has }: ParkedSight): readonly string[] {
  const fields = payload?.fields ?? {};
  const labels = 'labels' in fields ? (fields.labels ?? []) : [];
  return labels.filter((label) => has('labels', label) === false);
}

/** The field an answer names first (`write-extension.ts` puts it before a colon), by how it begins. */
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
