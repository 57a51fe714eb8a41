/**
 * Reads QR codes in camera pictures.
 *
 * Invariants:
 * - One picture at a time.
 * - The worker is loaded only from our own file. The page's trusted-types policy enforces this.
 * - No part of a picture is kept.
 */
import workerAddress from './camera-worker.ts?worker&url';

/** Reads one picture after the other. */
export type CodeReader = {
  /** The text of a QR code in `picture` (which is consumed), or null. Rejects if the reader ends first or cannot run. */
  readonly read: (picture: ImageBitmap) => Promise<string | null>;
  readonly end: () => void;
};

/** Trusted Types on `window`, which TypeScript's types do not have yet (W3C Trusted Types). */
type TrustingWindow = Window & {
  readonly trustedTypes?: {
    readonly createPolicy: (
      name: string,
      rules: { readonly createScriptURL: (address: string) => string },
    ) => { readonly createScriptURL: (address: string) => unknown };
  };
};

/** Creates readers in `page`. Call it once: a policy name can be used only once. */
export function codeReaders(page: Window): () => CodeReader {
  const policy = (page as TrustingWindow).trustedTypes?.createPolicy('touchpoint-worker', {
    createScriptURL: onlyOurs,
  });
  const trusted = (policy?.createScriptURL(workerAddress) ?? workerAddress) as string;
  return () => {
    const worker = new Worker(trusted, { type: 'module', name: 'camera' });
    let refuse: (reason: Error) => void = () => undefined;
    return {
      read: (picture) =>
        new Promise((resolve, reject) => {
          refuse = reject;
          worker.onmessage = ({ data }) => resolve(typeof data === 'string' ? data : null);
          worker.onerror = () => reject(new Error('The QR reader cannot run'));
          worker.postMessage(picture, [picture]);
        }),
      end: () => {
        worker.terminate();
        refuse(new Error('The QR reader ended'));
      },
    };
  };
}

function onlyOurs(address: string): string {
  if (address !== workerAddress) throw new TypeError('Not an address of ours');
  return address;
}
