/**
 * Photos and documents of visitors.
 *
 * Invariant: undocumented (docs/interface/endpoints.md#rule-6: that they exist is documented, their path is not); a
 * file that no platform would take does not leave the machine.
 */
import type { PlatformClient } from '../../../../src-main/core/foundations/api/client.ts';
import { ApiError } from '../../../../src-main/core/foundations/api/error-class.ts';
import { shape, text, whole } from '../../../../src-main/core/foundations/api/fields.ts';
import { parseOrUndefined } from '../../../../src-main/core/foundations/api/json.ts';
import { pathOf } from '../../../../src-main/core/foundations/api/path.ts';

const MOST_BYTES = 10 * 1024 * 1024;

const readStored = shape({ visitorID: text, type: text, size: whole, sha256: text });

/** What the platform stored. */
export type Stored = NonNullable<ReturnType<typeof readStored>>;

export type UploadType = 'ProfilePhoto' | 'IdCard' | 'IdPhoto';

/** Uploads; they name no event. */
export function uploadsOf(client: PlatformClient) {
  return {
    /**
     * `POST /upload/visitor/{visitorId}?type=…`: the bytes of a JPEG or PNG, at most 10 MiB.
     *
     * @throws ApiError (`reject`, nothing is sent) when there are too many bytes, otherwise as every call
     */
    store: async (
      visitorId: string,
      type: UploadType,
      bytes: Uint8Array,
      signal?: AbortSignal,
    ): Promise<Stored> => {
      if (bytes.length > MOST_BYTES) {
        const reason = `an image has at most ${MOST_BYTES} bytes`;
        throw new ApiError({ kind: 'reject', status: 413, reason }, reason);
      }
      const path = pathOf`/upload/visitor/${visitorId}`;
      const stored = readStored(
        parseOrUndefined(await client.call({ method: 'POST', path, query: { type }, body: bytes, signal })),
      );
      if (stored !== undefined) return stored;
      throw new ApiError({ kind: 'retry', reached: 'maybe' }, 'the answer to POST says nothing of an upload');
    },
  };
}
