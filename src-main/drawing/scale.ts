/**
 * Draws a picture of unknown origin as two small WebP pictures for the screen. The only file that imports sharp.
 *
 * Invariants:
 * - the result contains only pixels: no scripts of an SVG and no metadata of a photograph;
 * - a picture that declares too many pixels is refused before it is decoded;
 * - a picture that cannot be drawn gives null, never an exception.
 */
import sharp, { type Sharp } from 'sharp';
import type { Scaled, ScaledPicture } from '../core/event/pictures/picture-files.ts';

/** Longest side of each size in pixels. */
const LONGEST_SIDE = { small: 640, large: 1_600 } as const;

/** 9,000 × 9,000 pixels: more than a large logo, less than a decompression bomb. */
const MOST_PIXELS = 81_000_000;
const LONGEST_SECONDS = 120;
/** Default density of an SVG, which has lengths instead of pixels (the CSS reference pixel, as in libvips). */
const SVG_DENSITY = 72;
/** The maximum density that libvips accepts. */
const MOST_DENSITY = 100_000;
const FORMATS: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif', 'svg', 'heif', 'tiff']);

// It runs beside a kiosk that reads badges, so it uses one thread and no cache.
sharp.concurrency(1);
sharp.cache(false);

/**
 * Draws `source` (JPEG, PNG, WebP, GIF, AVIF, TIFF or SVG) in both sizes; null when it has another format or
 * is damaged. `smallSide`: the longest side of the small one.
 */
export async function scalePicture(
  source: Uint8Array,
  smallSide: number = LONGEST_SIDE.small,
): Promise<ScaledPicture | null> {
  try {
    const { format, width, height } = await sharp(source, { limitInputPixels: MOST_PIXELS }).metadata();
    if (!FORMATS.has(format)) return null;
    const density =
      format === 'svg' ? (SVG_DENSITY * LONGEST_SIDE.large) / Math.max(width, height) : SVG_DENSITY;
    const opened = sharp(source, {
      limitInputPixels: MOST_PIXELS,
      failOn: 'error',
      ...(format === 'svg' ? { density: Math.min(MOST_DENSITY, Math.max(1, density)) } : {}),
    });
    const large = await drawWithin(opened.autoOrient(), LONGEST_SIDE.large);
    return { large, small: await drawWithin(sharp(large.bytes), smallSide) };
  } catch {
    // If libvips cannot read a picture, the picture is damaged. Its errors contain nothing more that helps.
    return null;
  }
}

async function drawWithin(picture: Sharp, side: number): Promise<Scaled> {
  const { data, info } = await picture
    .timeout({ seconds: LONGEST_SECONDS })
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}
