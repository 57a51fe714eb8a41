/**
 * Finds a QR code in a picture, in a worker, so that reading never delays a tap.
 *
 * Invariants:
 * - One answer per picture, in order.
 * - The picture is released at once.
 * - The text of a code is not interpreted here.
 */
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasmAddress from 'zxing-wasm/reader/zxing_reader.wasm?url';

prepareZXingModule({ overrides: { locateFile: () => wasmAddress } });

const canvas = new OffscreenCanvas(1, 1);
const drawing = canvas.getContext('2d', { willReadFrequently: true });

async function read(picture: ImageBitmap): Promise<string | null> {
  canvas.width = picture.width;
  canvas.height = picture.height;
  drawing?.drawImage(picture, 0, 0);
  picture.close();
  const pixels = drawing?.getImageData(0, 0, canvas.width, canvas.height);
  if (!pixels) return null;
  const [code] = await readBarcodes(pixels, { formats: ['QRCode'], maxNumberOfSymbols: 1 });
  return code?.isValid ? code.text : null;
}

globalThis.addEventListener('message', (event: MessageEvent<ImageBitmap>) => {
  // Errors here are defects of the worker, not of the picture. The page receives them as errors of the worker.
  read(event.data).then((text) => globalThis.postMessage(text), globalThis.reportError);
});
