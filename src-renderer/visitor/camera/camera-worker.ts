/**
 * Finds a QR code in a picture, away from the page so that reading never delays a tap. Runs as a worker.
 *
 * Invariants: one answer for each picture, in order; the picture is let go at once; what the code says is text and
 * nothing is made of it here.
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
  // What goes wrong here is no matter of the picture: the page hears of it as of any defect of a worker.
  read(event.data).then((text) => globalThis.postMessage(text), globalThis.reportError);
});
