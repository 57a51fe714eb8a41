/**
 * Stores the logo and attract loop of a set-up as files beside `stand.json`.
 *
 * Invariants:
 * - no existing file is changed or removed: each choice of pictures gets its own folder, each logo its own file;
 * - names are derived from the content, so the same choice is stored once.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import type { Picture } from '../contract/stand.ts';
import type { DrawPicture } from '../core/event/pictures/pictures.ts';
import type { StandSettings } from '../core/stand/visit/settings.ts';
import type { SetupPicture } from './setup-file.ts';
import { writeWhole } from './whole-file.ts';

const pictureEndings = ['.png', '.jpg', '.jpeg', '.webp', '.avif', '.gif'];
const endings: ReadonlySet<string> = new Set([...pictureEndings, '.mp4', '.webm']);
/** Larger pictures are shown only as a file name. */
const LARGEST_DRAWN = 20_000_000;
const MOST = 50;

/** A picture as a page can show it; null when it cannot be drawn. */
export async function drawPicture(draw: DrawPicture, bytes: Uint8Array): Promise<Picture | null> {
  const drawn = await draw(bytes);
  if (typeof drawn === 'string') return null;
  const { small } = drawn;
  const address = `data:image/webp;base64,${Buffer.from(small.bytes).toString('base64')}`;
  return { address, width: small.width, height: small.height };
}

/** Draws the file at `path`; null when it is missing, too large or cannot be drawn. */
export async function drawFile(draw: DrawPicture, path: string): Promise<Picture | null> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size > LARGEST_DRAWN) return null;
  return drawPicture(draw, readFileSync(path));
}

/** Whether a logo is a file beside `stand.json` and not a URL. */
export function isFile(logo: string | null): logo is string {
  return logo !== null && !/^(https?|data):/i.test(logo);
}

/** Names of the loop's files, in order. */
export function attractNames(folder: string, attract: string | null): readonly string[] {
  const path = attract === null ? null : resolve(folder, attract);
  if (path === null || !existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.has(extname(entry.name).toLowerCase()))
    .map(({ name }) => name)
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .slice(0, MOST);
}

/** Reads a picture or film of the loop, or a logo. @throws the error of the file system */
export function readPicture(path: string): SetupPicture {
  return { name: basename(path), bytes: readFileSync(path) };
}

/** Stores a logo; returns its name for `stand.json`. @throws the error of the file system */
function keepLogo(folder: string, bytes: Uint8Array): string {
  const name = `logo-${digestOf([bytes])}`;
  if (!existsSync(join(folder, name))) writeWhole(join(folder, name), bytes);
  return name;
}

/**
 * Stores pictures in this order; returns the folder's name for `stand.json`, or null for none. @throws the error of
 * the file system
 */
function keepAttract(folder: string, pictures: readonly SetupPicture[]): string | null {
  if (pictures.length === 0) return null;
  const name = `attract-${digestOf(pictures.flatMap((one) => [Buffer.from(one.name), one.bytes]))}`;
  mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  for (const [index, one] of pictures.entries()) {
    // The loop is sorted by name.
    const plain = basename(one.name).replace(/^\d\d-/, '');
    writeWhole(join(folder, name, `${String(index + 1).padStart(2, '0')}-${plain}`), one.bytes);
  }
  return name;
}

/** Whether the loop can show a file of this name. */
export function isShown(name: string): boolean {
  return endings.has(extname(name).toLowerCase()) && !/[/\\]/.test(name) && !name.startsWith('.');
}

/** The chosen pictures. Null means no change; a logo without bytes removes the logo. */
export type ChosenPictures = {
  readonly logo: { readonly bytes: Uint8Array | null } | null;
  readonly attract: readonly SetupPicture[] | null;
};

/**
 * Stores these pictures in the data folder; returns settings that refer to them. @throws the error of the file system
 */
export function withPictures(
  folder: string,
  settings: StandSettings,
  { logo, attract }: ChosenPictures,
): StandSettings {
  const kept =
    logo === null ? settings.brand.logo : logo.bytes === null ? null : keepLogo(folder, logo.bytes);
  return {
    ...settings,
    brand: { ...settings.brand, logo: kept },
    attract: attract === null ? settings.attract : keepAttract(folder, attract),
  };
}

function digestOf(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 8);
}
