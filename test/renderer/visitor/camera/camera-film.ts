/**
 * A camera's view as a film for Chromium's fake camera: QR codes on grey, one after another, repeated.
 *
 * Invariant: Y4M with 4:2:0 colour, five pictures per second. A code nearly fills the height and is not blurred.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { encode } from 'uqr';

/** A scene and its duration. Null means nothing in view; bytes are a grey picture of the film's size. */
export type Scene = { readonly code: string | Uint8Array | null; readonly seconds: number };

const picturesPerSecond = 5;

/** Writes the film. Width and height in pixels, both even. */
export function writeFilm(path: string, scenes: readonly Scene[], width = 1280, height = 720): void {
  const file = openSync(path, 'w');
  writeSync(file, `YUV4MPEG2 W${width} H${height} F${picturesPerSecond}:1 Ip A1:1 C420jpeg\n`);
  const grey = Buffer.alloc(width * height, 200);
  const colour = Buffer.alloc((width * height) / 2, 128);
  for (const { code, seconds } of scenes) {
    const picture = typeof code === 'string' ? draw(code, width, height) : (code ?? grey);
    for (let at = 0; at < seconds * picturesPerSecond; at += 1) {
      writeSync(file, 'FRAME\n');
      writeSync(file, picture);
      writeSync(file, colour);
    }
  }
  closeSync(file);
}

function draw(code: string, width: number, height: number): Buffer {
  const { data, size } = encode(code, { border: 4, ecc: 'L' });
  const module = Math.floor(height / size);
  const left = Math.floor((width - module * size) / 2);
  const top = Math.floor((height - module * size) / 2);
  const picture = Buffer.alloc(width * height, 230);
  data.forEach((row, y) => {
    row.forEach((dark, x) => {
      if (!dark) return;
      for (let line = 0; line < module; line += 1) {
        const from = (top + y * module + line) * width + left + x * module;
        picture.fill(16, from, from + module);
      }
    });
  });
  return picture;
}
