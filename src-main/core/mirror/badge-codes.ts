/**
 * Which codes a visitor's record carries (api-silences, "Badge to visitor"). Pure.
 *
 * Invariants: the pointers are a list that can be changed in one place; UIDs compare in upper-case hex without
 * separators, everything else exactly; the visitor's own id is a code of last resort.
 */

import { uidOfText } from '../badge/uid.ts';

/** JSON pointers tried on visitors; `*` walks a list. */
export const BADGE_POINTERS: readonly string[] = ['/badges/*/code', '/badgeId', '/badge', '/rfid', '/id'];

const pathOf = (pointer: string): readonly string[] => pointer.split('/').slice(1);
const usualPaths = BADGE_POINTERS.map(pathOf);

/** Codes of a record, without duplicates, in the order of the pointers. */
export const badgeCodes = (
  record: Readonly<Record<string, unknown>>,
  pointers: readonly string[] = BADGE_POINTERS,
): readonly string[] => {
  const codes = new Set<string>();
  for (const path of pointers === BADGE_POINTERS ? usualPaths : pointers.map(pathOf)) {
    for (const value of valuesAt(record, path)) {
      if (typeof value === 'string' && value.trim() !== '') codes.add(normalCode(value));
    }
  }
  return [...codes];
};

/** A code as it is compared: a UID in upper-case hex without separators, any other code as it is. */
export const normalCode = (code: string): string => uidOfText(code) ?? code.trim();

const valuesAt = (value: unknown, path: readonly string[], depth = 0): readonly unknown[] => {
  const step = path[depth];
  if (step === undefined) return [value];
  if (step === '*')
    return Array.isArray(value) ? value.flatMap((member) => valuesAt(member, path, depth + 1)) : [];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return [];
  return valuesAt((value as Record<string, unknown>)[step], path, depth + 1);
};
