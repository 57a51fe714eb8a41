/**
 * Pictures of a camera in, texts of QR codes out.
 *
 * Invariants: one picture is read at a time; the only address a worker is ever begun from is our own file's, which the
 * page's trusted-types policy sees to; ended means that nothing of a picture is left.
 */
import workerAddress from './camera-worker.ts?worker&url';

/** Reads one picture after the other. */
export type CodeReader = {
  /** The text of a QR code in `picture`, which is used up, or null. Rejects when the reader ended or cannot run. */
  readonly read: (picture: ImageBitmap) => Promise<string | null>;
  readonly end: () => void;
};

/** What browsers with trusted types have on `window`; our types do not know it yet (W3C Trusted Types). */
type TrustingWindow = Window & {
  readonly trustedTypes?: {
    readonly createPolicy: (
      name: string,
      rules: { readonly createScriptURL: (address: string) => string },
    ) => { readonly createScriptURL: (address: string) => unknown };
  };
};

/** Makes readers in `page`; call it once, a policy's name can be used only once. */
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
