/**
 * The badge codes in a visitor's record (docs/interface/undocumented.md#badge-to-visitor). Pure.
 *
 * Invariants:
 * - All pointers are in one list, so there is one place to change.
 * - UIDs compare in upper-case hex without separators. Any other code compares exactly, apart from outer spaces.
 * - The visitor's own id comes last.
 */

import { uidOfText } from '../../foundations/badge/uid.ts';

/** JSON pointers that are tried on a visitor's record; `*` matches each entry of a list. */
const BADGE_POINTERS: readonly string[] = ['/badges/*/code', '/badgeId', '/badge', '/rfid', '/id'];

const paths = BADGE_POINTERS.map((pointer): readonly string[] => pointer.split('/').slice(1));

/** Codes of a record, without duplicates, in the order of the pointers. */
export function badgeCodes(record: Readonly<Record<string, unknown>>): readonly string[] {
  const codes: string[] = [];
  for (const path of paths) collect(record, path, 0, codes);
  return codes;
}

/** The form of a code for comparison: a UID in upper-case hex without separators, any other code trimmed. */
function normalCode(code: string): string {
  return uidOfText(code) ?? code.trim();
}

/** Adds the codes at `path`, from its step `depth` on. */
function collect(value: unknown, path: readonly string[], depth: number, codes: string[]): void {
  const step = path[depth];
  if (step === undefined) {
    const code = typeof value === 'string' ? normalCode(value) : '';
    if (code !== '' && !codes.includes(code)) codes.push(code);
  } else if (step === '*') {
    if (Array.isArray(value)) for (const member of value) collect(member, path, depth + 1, codes);
  } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, step)) {
    collect((value as Record<string, unknown>)[step], path, depth + 1, codes);
  }
}
