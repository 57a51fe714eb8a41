/**
 * Photos and documents of visitors: `POST /upload/visitor/{visitorId}`. Path and shape fill a gap in the interface
 * (docs/interface/undocumented.md#upload). The three types (profile photo, id photo, id document) are documented
 * (docs/interface/endpoints.md#rule-6).
 */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { ApiError, badRequest, forbidden, notFound } from '../http/errors.ts';
import type { Operation } from '../http/operation.ts';
import { mayEnter } from '../keys/caller.ts';
import { id } from '../resources/fields.ts';
import type { ResourcePorts } from '../resources/single.ts';
import { largestImage, storeImage } from './image.ts';

const uploadType = z.enum(['ProfilePhoto', 'IdCard', 'IdPhoto']).meta({ examples: ['ProfilePhoto'] });

function refuse(error: string, description: string): ApiError {
  // The rest of the body is not read, so the connection cannot be reused.
  return new ApiError(422, 'The submitted data was rejected', [{ field: 'body', error, description }], {
    connection: 'close',
  });
}

/** The operation that stores an image. */
export function uploadOperation({ store, newId, uploads }: ResourcePorts): Operation {
  return {
    method: 'POST',
    path: '/upload/visitor/{visitorId}',
    tag: 'uploads',
    summary: 'Store a photo or document of a visitor',
    description: 'The body is the bytes of a JPEG or PNG image of at most 10 MB.',
    documented: false,
    right: 'write',
    query: z.object({ type: uploadType }),
    bytes: true,
    mayMiss: true,
    answer: z.object({ visitorID: id(), type: uploadType, size: z.int(), sha256: z.string() }),
    onExpo: false,
    handle: async ({ caller, params, query, body }) => {
      const { visitorId = '' } = params;
      // PostgreSQL rejects an id with a NUL even in a query.
      const row = visitorId.includes('\0')
        ? undefined
        : await store.db
            .selectFrom('record')
            .select(['id', 'expo_id'])
            .where('kind', '=', 'visitor')
            .where('id', '=', visitorId)
            .where('deleted', '=', 0)
            .executeTakeFirst();
      if (!row) throw notFound('Visitor not found');
      if (!mayEnter(caller, row.expo_id)) throw forbidden('This visitor is outside the scope of the key');
      if (!(body instanceof Readable)) throw badRequest('The body must be the bytes of an image');
      const type = query.type as z.infer<typeof uploadType>;
      const path = join(uploads, row.expo_id, row.id, type);
      const stored = await storeImage(path, `${path}.${newId()}.part`, body);
      if (stored === 'tooLarge') throw refuse('tooLarge', `An image has at most ${largestImage} bytes`);
      if (stored === 'notAnImage') throw refuse('notAnImage', 'An image is JPEG or PNG');
      return { visitorID: row.id, type, ...stored };
    },
  };
}
