/**
 * Draws the icons of every system from one mark (`assets/icon/mark.svg`).
 *
 * Invariant: the containers hold PNG pictures as their formats allow: ICO since Windows Vista, ICNS since Mac OS X 10.7.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

/** Sizes of a Windows icon, in pixels. */
const icoSizes = [16, 24, 32, 48, 64, 128, 256];
/** Types of an Apple icon with their sizes in pixels. */
const icnsTypes = { ic11: 32, ic12: 64, ic07: 128, ic08: 256, ic09: 512, ic10: 1024 } as const;
/** Sizes of the Linux icon theme (hicolor). */
export const pngSizes = [16, 32, 48, 64, 128, 256, 512] as const;

/** Paths of the icons after `drawIcons`. */
export type Icons = { readonly ico: string; readonly icns: string; readonly pngFolder: string };

/** Draws all icons into `folder`. */
export async function drawIcons(root: string, folder: string): Promise<Icons> {
  const mark = readFileSync(join(root, 'assets', 'icon', 'mark.svg'));
  const draw = async (size: number) => {
    const picture = sharp(mark, { density: (72 * size) / 512 + 1 }).resize(size, size);
    return { size, bytes: await picture.png({ compressionLevel: 9 }).toBuffer() };
  };
  const icons = {
    ico: join(folder, 'icon.ico'),
    icns: join(folder, 'icon.icns'),
    pngFolder: join(folder, 'png'),
  };
  mkdirSync(icons.pngFolder, { recursive: true });
  for (const size of pngSizes) {
    writeFileSync(join(icons.pngFolder, `${size}x${size}.png`), (await draw(size)).bytes);
  }
  writeFileSync(icons.ico, icoOf(await Promise.all(icoSizes.map(draw))));
  const types = Object.entries(icnsTypes);
  const pictures = await Promise.all(types.map(async ([type, size]) => ({ type, ...(await draw(size)) })));
  writeFileSync(icons.icns, icnsOf(pictures));
  return icons;
}

/** A directory of sixteen bytes per picture, then the pictures. A size of 256 pixels is written as 0. */
function icoOf(pictures: readonly { readonly size: number; readonly bytes: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { size, bytes }] of pictures.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(bytes.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += bytes.length;
  }
  return Buffer.concat([head, ...pictures.map(({ bytes }) => bytes)]);
}

/** Chunks of type, length (with the eight bytes of type and length) and picture. */
function icnsOf(pictures: readonly { readonly type: string; readonly bytes: Buffer }[]): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32BE(content.length + 8, 4);
    return Buffer.concat([head, content]);
  };
  return chunk('icns', Buffer.concat(pictures.map(({ type, bytes }) => chunk(type, bytes))));
}
