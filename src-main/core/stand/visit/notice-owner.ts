/**
 * Checks whether the notice names a partner other than the one of the touchpoint.
 *
 * Invariants:
 * - A notice that names the touchpoint's partner is valid, even if it also names other partners.
 * - Partners are searched once for each state of the mirror, not at each tap.
 */
import type { Notice } from '../../../contract/stand.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import { foldForSearch } from '../../foundations/text/fold.ts';
import type { AssignmentFault, DeviceAssignment } from '../device/assignment.ts';

/** Shorter names are ignored, because they occur as words in any text. */
const SHORTEST_NAME = 5;

/** The longest name of another partner in `notice`. Null if there is none, or the notice contains `own`. Pure. */
export function foreignNameIn(notice: Notice, own: string, others: readonly string[]): string | null {
  const said = Object.values(notice.texts).map(({ who, why }) => padded(`${who} ${why}`));
  const isNamed = (name: string): boolean => said.some((text) => text.includes(padded(name)));
  if (own === '' || isNamed(own)) return null;
  const found = others.filter((name) => name.length >= SHORTEST_NAME && isNamed(name));
  return found.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

/** Only the words, separated by spaces, so that a name matches only complete words. */
function padded(text: string): string {
  return ` ${foldForSearch(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

export type NoticeFault =
  | AssignmentFault
  | { readonly kind: 'otherPartner'; readonly partner: string; readonly named: string };

/** Checks whether the notice in the settings belongs to the partner of the assignment. */
export function createNoticeCheck(
  mirror: Mirror,
  notice: Notice | null,
): (assignment: DeviceAssignment | null) => NoticeFault | null {
  let looked: { readonly key: string; readonly fault: NoticeFault | null } | null = null;
  return (assignment) => {
    const partner = assignment?.partner ?? null;
    if (notice === null || partner === null || !mirror.progress('partners').complete) return null;
    const key = `${partner} ${mirror.progress('partners').passes} ${mirror.count('partners')}`;
    if (looked?.key !== key) looked = { key, fault: look(mirror, notice, partner) };
    return looked.fault;
  };
}

function look(mirror: Mirror, notice: Notice, partner: string): NoticeFault | null {
  const names = mirror
    .records('partners')
    .flatMap(({ id, body }) => (typeof body.name === 'string' ? [{ id, name: body.name }] : []));
  const own = names.find(({ id }) => id === partner)?.name ?? '';
  const others = names.filter(({ id, name }) => id !== partner && name !== own).map(({ name }) => name);
  const named = foreignNameIn(notice, own, others);
  return named === null ? null : { kind: 'otherPartner', partner: own, named };
}
