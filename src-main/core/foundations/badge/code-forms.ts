/**
 * What codes of this event's badges look like, learnt from those that are known, and whether another one can be one. Pure.
 *
 * Invariants: too few codes teach nothing, then any code can be; what was learnt is length by length: the signs
 * that are always the same in their place, and what kind the others are; where badges are hex, hex of another length is none,
 * whatever else has that length; a code of the known ones always fits.
 */

/** Kinds of signs, each with all of the one before it. */
const kinds = [/^[0-9]$/, /^[0-9A-F]$/, /^[0-9A-Za-z]$/, /^[\s\S]$/u] as const;
const HEX = 1;

/** Fewer codes than this of one event, or of one length, teach nothing about it. */
const FEWEST = 20;

/** What stands at one place of the codes of one length. */
type Place = { readonly only: string | null; readonly kind: number };

export type CodeForms = {
  /** Whether a badge of this event can have this code. */
  readonly fits: (code: string) => boolean;
  /** What is needed to type one. */
  readonly pad: 'digits' | 'hex' | 'letters';
};

/** The forms of `codes`; `typed` are those that stand on badges, the others only ids of people. */
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
  // A UID that lost a character is as long as some other code, such as an id, may be.
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
    // A digit that is always the same may be another one tomorrow; a letter beyond hex is part of the form.
    const isSame = codes.length >= FEWEST && kind > HEX && codes.every((code) => code[index] === sign);
    return { only: isSame ? sign : null, kind };
  });
  // Where a digit stood so far a letter may come, if there are letters at other places.
  const widest = places.reduce((so, { only, kind }) => (only === null ? Math.max(so, kind) : so), 0);
  return places.map(({ only }) => ({ only, kind: widest }));
}

function kindOf(sign: string): number {
  const found = kinds.findIndex((kind) => kind.test(sign));
  return found === -1 ? kinds.length : found;
}

/** The keypad for most of `codes`; each keypad leads to the letters for the others. */
function padOf(codes: readonly string[]): CodeForms['pad'] {
  const share = (form: (code: string) => boolean) => codes.filter(form).length / codes.length;
  if (codes.length === 0 || share(isHex) <= 0.5) return 'letters';
  return share((code) => /^[0-9]+$/.test(code)) > 0.9 ? 'digits' : 'hex';
}
