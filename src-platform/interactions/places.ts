/**
 * The place and the people of an item: from its own fields, completed by its touchpoint and its content.
 *
 * Invariant: everything to which an item refers exists in the event, and with the key of one company it belongs to
 * that company. The first violation is the reason for the rejection.
 */
import type { FieldError } from '../http/errors.ts';
import type { Doc } from '../store/records.ts';
import { normaliseCode } from './badge-owners.ts';
import type { Batch } from './batch.ts';
import type { Item } from './item.ts';

export type Place = {
  readonly touchpointId: string | null;
  readonly partnerId: string | null;
  readonly contentId: string | null;
  readonly activityId: string | null;
  readonly locationId: string | null;
};

function fieldError(field: string, error: string, description: string): FieldError {
  return {
    field,
    error,
    description,
  };
}

function unknown(field: string, kind: string): FieldError {
  return fieldError(field, 'unknown', `There is no ${kind} with this identifier`);
}

function textOf(doc: Doc | null, name: string): string | undefined {
  return doc?.[name] as string | undefined;
}

/** The place of an item, or why the item is rejected. */
export async function findPlace({ read, company }: Batch, item: Item): Promise<Place | FieldError> {
  const isTheirs = (owner: string | undefined) => company === null || owner === company;
  let touchpoint: Doc | null = null;
  if (item.touchpointID !== undefined) {
    touchpoint = await read('touchpoint', item.touchpointID);
    if (!touchpoint || !isTheirs(textOf(touchpoint, 'partnerID')))
      return unknown('touchpointID', 'touchpoint');
  }
  const collects = item.kind === 'collect';
  const contentId = item.contentID ?? (collects ? textOf(touchpoint, 'contentID') : undefined);
  const content = contentId === undefined ? null : await read('content', contentId);
  if (contentId !== undefined && !(content && isTheirs(textOf(content, 'partnerID'))))
    return unknown('contentID', 'content');
  if (collects && !content) return fieldError('contentID', 'required', 'Collecting needs the content');
  const partnerId = item.partnerID ?? textOf(touchpoint, 'partnerID') ?? textOf(content, 'partnerID');
  if (partnerId !== undefined && !(isTheirs(partnerId) && (await read('partner', partnerId)))) {
    return unknown('partnerID', 'partner');
  }
  if (!isTheirs(partnerId)) {
    return fieldError(
      'partnerID',
      'required',
      'With the key of one company, its touchpoint or itself is named',
    );
  }
  const checksIn = item.kind === 'checkin';
  const activityId = item.activityID ?? (checksIn ? textOf(touchpoint, 'activityID') : undefined);
  if (activityId !== undefined && !(await read('activity', activityId))) {
    return unknown('activityID', 'activity');
  }
  if (['qualify', 'note', 'consent', 'correct', 'attach'].includes(item.kind) && partnerId === undefined) {
    return fieldError('partnerID', 'required', 'This needs a partner, by itself or by its touchpoint');
  }
  return {
    touchpointId: item.touchpointID ?? null,
    partnerId: partnerId ?? null,
    contentId: contentId ?? null,
    activityId: activityId ?? null,
    locationId: item.locationID ?? textOf(touchpoint, 'locationID') ?? null,
  };
}

/**
 * The visitor of an item: the visitor that the item names, otherwise the owner of its badge, or null while the badge
 * is unknown. A visitor who does not take part is an error only if the item has no badge.
 */
export function findVisitor(
  { takesPart, visitorOfBadge }: Batch,
  item: Item,
): { readonly visitorId: string | null } | FieldError {
  if (item.visitorID !== undefined) {
    const isTakingPart = takesPart(item.visitorID);
    if (isTakingPart === true) return { visitorId: item.visitorID };
    if (item.badge === undefined) {
      return isTakingPart === false
        ? fieldError('visitorID', 'notRegistered', 'Only registered visitors may take part in the event')
        : unknown('visitorID', 'visitor');
    }
  }
  if (item.badge !== undefined) {
    return { visitorId: visitorOfBadge(normaliseCode(item.badge), item.at) };
  }
  return fieldError('badge', 'required', 'An interaction needs a badge or a visitor');
}

/** Whether the value is an error and not a result. */
export function isFieldError(found: object): found is FieldError {
  return 'error' in found;
}
