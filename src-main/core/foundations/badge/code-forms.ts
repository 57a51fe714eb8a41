/**
 * Learns the form of this event's badge codes, and checks whether another code has it. Pure.
 *
 * Invariants:
 * - From too few codes nothing is learnt, and any code fits.
 * - Each length is learnt separately: the characters that are constant at their position, and the kind of the others.
 * - If most badges have hex codes, a hex code fits only if a learnt hex code has the same length.
 * - A code from which the forms were learnt always fits.
 * - Learning is one plain pass over the characters, because a tap may wait for it.
 */

/** Kinds of characters. Each includes the previous one. */
const [DIGIT, HEX, LETTER, OTHER] = [0, 1, 2, 3];

/** The kind of each ASCII character. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/[0-9]/.test(sign)) return DIGIT;
  if (/[A-F]/.test(sign)) return HEX;
  return /[A-Za-z]/.test(sign) ? LETTER : OTHER;
});

/** The minimum number of codes, of one event or of one length, from which a form is learnt. */
const FEWEST = 20;

/** One position in the codes of one length. */
type Place = { readonly only: string | null; readonly kind: number };

/** What was learnt from codes, as plain data. */
export type LearntForms = {
  /** The positions by length. */
  readonly places: readonly (readonly [length: number, places: readonly Place[]])[];
  readonly hexLengths: readonly number[];
  /** Whether most badges have hex codes. */
  readonly hexBadges: boolean;
  /** Whether there were enough codes to learn from. */
  readonly isKnown: boolean;
  readonly pad: 'digits' | 'hex' | 'letters';
};

export type CodeForms = {
  /** Whether a badge of this event can have this code. */
  readonly fits: (code: string) => boolean;
  /** The keypad for typing a code. */
  readonly pad: LearntForms['pad'];
};

/** Learns the forms of codes. `typed` are printed on badges, the others are only ids of people. */
export function learnForms(typed: readonly string[], others: readonly string[]): LearntForms {
  const byLength = new Map<number, string[]>();
  for (const codes of [typed, others]) {
    for (const code of codes) {
      const same = byLength.get(code.length);
      if (same === undefined) byLength.set(code.length, [code]);
      else same.push(code);
    }
  }
  const hexTyped = typed.filter(isHex);
  return {
    places: [...byLength].map(([length, codes]) => [length, placesOf(codes)]),
    hexLengths: [...new Set([...hexTyped, ...others.filter(isHex)].map((code) => code.length))],
    hexBadges: hexTyped.length * 2 > typed.length,
    isKnown: typed.length + others.length >= FEWEST,
    pad: padOf(typed, hexTyped.length),
  };
}

/** The checks of what was learnt. */
export function formsOf({ places, hexLengths, hexBadges, isKnown, pad }: LearntForms): CodeForms {
  const forms = new Map(places);
  // A UID that lost a character may have the length of another code, such as an id.
  const lost = (code: string) => hexBadges && isHex(code) && !hexLengths.includes(code.length);
  return {
    fits: (code) => !isKnown || (!lost(code) && (forms.get(code.length)?.every(isAt(code)) ?? false)),
    pad,
  };
}

function isHex(code: string): boolean {
  return /^[0-9A-F]+$/.test(code);
}

function isAt(code: string): (place: Place, index: number) => boolean {
  return ({ only, kind }, index) => {
    return only === null ? kindAt(code, index) <= kind : code[index] === only;
  };
}

/** The positions in the codes of one length. A closure per position would take four times as long. */
function placesOf(codes: readonly string[]): readonly Place[] {
  const [first = ''] = codes;
  const found = new Uint8Array(first.length);
  const varies = new Uint8Array(first.length);
  for (const code of codes) {
    for (let index = 0; index < first.length; index += 1) {
      const kind = kindAt(code, index);
      if (kind > (found[index] ?? OTHER)) found[index] = kind;
      if (code.charCodeAt(index) !== first.charCodeAt(index)) varies[index] = 1;
    }
  }
  const places = Array.from(found, (kind, index): Place => {
    // A constant digit or hex letter may change with later badges. Any other constant character is part of the form.
    const isSame = codes.length >= FEWEST && kind > HEX && varies[index] === 0;
    return { only: isSame ? (first[index] ?? '') : null, kind };
  });
  // A position that has only digits so far may get a letter later if other positions have letters.
  const widest = places.reduce((so, { only, kind }) => (only === null ? Math.max(so, kind) : so), DIGIT);
  return places.map(({ only }) => ({ only, kind: widest }));
}

function kindAt(code: string, index: number): number {
  return KINDS[code.charCodeAt(index)] ?? OTHER;
}

/** The keypad that suits most of `codes`, of which `hex` are hex. Each keypad has a key that switches to letters. */
function padOf(codes: readonly string[], hex: number): LearntForms['pad'] {
  if (hex * 2 <= codes.length) return 'letters';
  return codes.filter((code) => /^[0-9]+$/.test(code)).length > 0.9 * codes.length ? 'digits' : 'hex';
}
