/**
 * Reads the bytes of a picture from an `https:`, `http:` or `data:` address.
 *
 * Invariants:
 * - These requests never carry a key, a cookie or a referrer.
 * - Time and size limits hold while an answer is received.
 * - Messages contain no address, because it may name people.
 * - It never retries.
 */
import { Agent, fetch } from 'undici';

/** Result for a picture. `refused`: another request would fail again. `unreachable`: a later request may succeed. */
export type PictureBytes =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unreachable' };

export type PictureSource = {
  /** @throws the signal's reason when the caller aborted */
  readonly read: (address: string, signal: AbortSignal) => Promise<PictureBytes>;
  readonly close: () => Promise<void>;
};

const MOST_BYTES = 10 * 1024 * 1024;
const LONGEST_MS = 20_000;

/** A source of pictures. */
export function createPictureSource(): PictureSource {
  const agent = new Agent({ connections: 2, connectTimeout: 10_000, headersTimeout: 10_000 });

  const read = async (address: string, signal: AbortSignal): Promise<PictureBytes> => {
    if (!/^(https?|data):/i.test(address)) return { kind: 'refused' };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
    const answer = await fetch(address, {
      dispatcher: agent,
      signal: limit,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      headers: { accept: 'image/*' },
    });
    if (!answer.ok || answer.body === null) {
      await answer.body?.cancel();
      const mayPass = answer.status === 408 || answer.status === 429 || answer.status >= 500;
      return { kind: mayPass ? 'unreachable' : 'refused' };
    }
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of answer.body) {
      length += part.length;
      // Leaving the loop cancels the download.
      if (length > MOST_BYTES) return { kind: 'refused' };
      parts.push(part);
    }
    return { kind: 'bytes', bytes: Buffer.concat(parts) };
  };

  return {
    read: async (address, signal) => {
      try {
        return await read(address, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        return { kind: address.startsWith('data:') ? 'refused' : 'unreachable' };
      }
    },
    close: () => agent.destroy(),
  };
}
