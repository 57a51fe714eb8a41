/**
 * Makes any partner colour readable. As a text or line colour it is darkened on light paper and lightened on dark
 * paper until the contrast is 4.5:1 or 7:1. As a surface colour it stays unchanged, except in high contrast, and the
 * colour of the text on it adapts.
 *
 * Invariants:
 * - Pure. The hue does not change.
 * - The result is readable on paper and on its own soft tint. Text that is no colour is refused (null).
 *
 * Contrast as in WCAG 2.2, relative luminance.
 */
export type Theme = 'light' | 'dark';

/** `brand` for text and lines. `fill` is the surface colour, and `ink` the text colour on it. */
export type BrandRoles = {
  readonly brand: string;
  readonly soft: string;
  readonly fill: string;
  readonly ink: string;
};

type Rgb = readonly [number, number, number];

/** The paper colours of the two themes (tokens.css), against which the colour is checked. */
const papers: Readonly<Record<Theme, Rgb>> = { light: [250, 248, 244], dark: [16, 18, 24] };

/** The text colours for a fill. On every colour, one of the two reaches 4.5:1. */
const inks: readonly [Rgb, Rgb] = [
  [255, 255, 255],
  [13, 15, 20],
];

/** Slightly above the 4.5 and 7 of WCAG (1.4.3, 1.4.6), so that rounding never brings the contrast below them. */
const enough = { usual: 4.6, high: 7.1 } as const;

/** The colours for a partner's `colour` (`#rgb` or `#rrggbb`), or null if it is invalid. */
export function brandRoles(
  colour: string,
  theme: Theme,
  wanted: keyof typeof enough = 'usual',
): BrandRoles | null {
  const rgb = parse(colour);
  if (!rgb) return null;
  const paper = papers[theme];
  const far: Rgb = theme === 'light' ? [0, 0, 0] : [255, 255, 255];
  const softOf = (brand: Rgb) => mix(paper, brand, 0.13);
  const readable = (brand: Rgb) =>
    Math.min(contrast(brand, paper), contrast(brand, softOf(brand))) >= enough[wanted];
  let brand = rgb;
  for (let step = 0; !readable(brand) && step <= 100; step += 1) brand = mix(rgb, far, step / 100);
  // In high contrast a surface must also differ clearly from the paper.
  const fill = wanted === 'high' ? brand : rgb;
  const [first, second] = inks;
  const ink = contrast(first, fill) >= contrast(second, fill) ? first : second;
  return { brand: write(brand), soft: write(softOf(brand)), fill: write(fill), ink: write(ink) };
}

/** Contrast ratio of two colours, 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** `#rgb` or `#rrggbb` as three numbers of 0 to 255, or null. */
export function parse(colour: string): Rgb | null {
  const text = colour.trim().replace(/^#/, '');
  const full = /^[\da-f]{3}$/i.test(text) ? [...text].map((digit) => digit + digit).join('') : text;
  if (!/^[\da-f]{6}$/i.test(full)) return null;
  const at = (start: number) => Number.parseInt(full.slice(start, start + 2), 16);
  return [at(0), at(2), at(4)];
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (value: number) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (a: number, b: number) => Math.round(a + (b - a) * share);
  return [part(from[0], to[0]), part(from[1], to[1]), part(from[2], to[2])];
}

function write(rgb: Rgb): string {
  return `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
