/**
 * Registration types: one list without parameters, with the types of the organisation and those of the event.
 */
import { z } from 'zod';
import { JsonText } from '../http/json.ts';
import type { Operation } from '../http/operation.ts';
import { basicText } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { id, revision, text } from './fields.ts';
import { type Resource, shownAs } from './resource.ts';

/** Categories of visitors and partners; without `expoID` they belong to the organisation. */
export const registrationTypes: Resource = {
  kind: 'registrationType',
  folder: 'registrationTypes',
  noun: 'registration type',
  parameter: 'registrationTypeId',
  basic: z.object({
    id: id(),
    name: text(),
    for: z.enum(['visitor', 'partner']),
    expoID: id().optional(),
    revision: revision(),
  }),
};

/** `GET /registrationTypes/{expoId}`. */
export function registrationTypesOperation(store: Store): Operation {
  return {
    method: 'GET',
    path: '/registrationTypes/{expoId}',
    tag: 'registrationTypes',
    summary: 'List the registration types of the organisation and of the event',
    documented: true,
    right: 'read',
    ofCompany: 'event',
    answer: z.array(registrationTypes.basic),
    shows: shownAs(registrationTypes, 'list'),
    onExpo: true,
    handle: async ({ expo }) => {
      const rows = await store.db
        .selectFrom('record')
        .select(['basic', 'revision'])
        .where('expo_id', 'in', ['', expo.id])
        .where('kind', '=', 'registrationType')
        .orderBy('revision')
        .execute();
      return new JsonText(`[${rows.map(basicText).join(',')}]`);
    },
  };
}
