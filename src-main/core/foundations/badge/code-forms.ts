/**
 * Learns the form of this event's badge codes, and checks whether another code has it. Pure.
 *
 * Invariants:
 * - From too few codes nothing is learnt. Then any code fits.
 * - Each length is learnt separately: the characters that are constant at their position, and the kind of the others.
 * - Where badges are hex, hex of another length does not fit, even if other codes have that length.
 * - A known code always fits.
 */

/** Kinds of characters. Each includes the previous one. */
const kinds = [/^[0-9]$/, /^[0-9A-F]$/, /^[0-9A-Za-z]$/, /^[\s\S]$/u] as const;
const HEX = 1;

/** The fewest codes of one event, or of one length, from which a form is learnt. */
const FEWEST = 20;

/** One position in the codes of one length. */
type Place = { readonly only: string | null; readonly kind: number };

export type CodeForms = {
  /** Whether a badge of this event can have this code. */
  readonly fits: (code: string) => boolean;
  /** The keypad for typing a code. */
  readonly pad: 'digits' | 'hex' | 'letters';
};

/** The forms of `codes`. `typed` are printed on badges, the others are only ids of people. */
export function learnForms(typed: readonly string[], others: readonly string[]): CodeForms {
  const byLength = new Map<number, string[]>();
  for (const code of [...typed, ...others]) {
    const same = byLength.get(code.length);
    if (same === undefined) byLength.set(code.length, [code]);
    else same.push(code);
  }
  const forms = new Map([...byLength].map(([length, codes]) => [length, placesOf(codes)]));
  const hexLengths = new Set([...typed, ...others].filter(isHex).map((code) => code.length));
  const hexBadges = typed.filter(isHex).length * 2 > typed.length;
  // A UID that lost a character may have the length of another code, such as an id.
  const lost = (code: string) => hexBadges && isHex(code) && !hexLengths.has(code.length);
  const isKnown = typed.length + others.length >= FEWEST;
  return {
    fits: (code) => !isKnown || (!lost(code) && (forms.get(code.length)?.every(isAt(code)) ?? false)),
    pad: padOf(typed),
  };
}

function isHex(code: string): boolean {
  return /^[0-9A-F]+$/.test(code);
}

function isAt(code: string): (place: Place, index: number) => boolean {
  return ({ only, kind }, index) => {
    const sign = code[index] ?? '';
    return only === null ? kindOf(sign) <= kind : sign === only;
  };
}

function placesOf(codes: readonly string[]): readonly Place[] {
  const [first = ''] = codes;
  const places = Array.from({ length: first.length }, (_, index): Place => {
    const sign = first[index] ?? '';
    const kind = codes.reduce((widest, code) => Math.max(widest, kindOf(code[index] ?? '')), 0);
    // A constant digit may change with later badges. A letter beyond hex is part of the form.
    const isSame = codes.length >= FEWEST && kind > HEX && codes.every((code) => code[index] === sign);
    return { only: isSame ? sign : null, kind };
  });
  // A position with only digits so far may get a letter, if other positions have letters.
  const widest = places.reduce((so, { only, kind }) => (only === null ? Math.max(so, kind) : so), 0);
  return places.map(({ only }) => ({ only, kind: widest }));
}

function kindOf(sign: string): number {
  const found = kinds.findIndex((kind) => kind.test(sign));
  return found === -1 ? kinds.length : found;
}

/** The keypad for most of `codes`. From each keypad the user can switch to letters for the others. */
function padOf(codes: readonly string[]): CodeForms['pad'] {
  const share = (form: (code: string) => boolean) => codes.filter(form).length / codes.length;
  if (codes.length === 0 || share(isHex) <= 0.5) return 'letters';
  return share((code) => /^[0-9]+$/.test(code)) > 0.9 ? 'digits' : 'hex';
}
