/**
 * Licenses: what a partner bought (operation rule 2).
 *
 * Invariants
 * - `activations` counts what was started with a license; no body changes it.
 * - A license never allows fewer activations than there were.
 */
import { z } from 'zod';
import { rejectedField } from '../http/errors.ts';
import { id, queryText, revision } from './fields.ts';
import { mustExist } from './references.ts';
import type { Resource } from './resource.ts';

const licenseType = z.enum(['touchpoint', 'scan', 'badge', 'app']);
const activationMax = z.int().min(0).max(1_000_000);

/** What a partner bought; `activations` counts what was started with it (operation rule 2). */
export const licenses: Resource = {
  kind: 'license',
  folder: 'licenses',
  noun: 'license',
  parameter: 'licenseId',
  basic: z.object({
    id: id(),
    expoID: id(),
    partnerID: id(),
    type: licenseType,
    activationMax,
    activations: z.int(),
    revision: revision(),
  }),
  body: z.object({ partnerID: id().optional(), type: licenseType, activationMax }),
  category: 'type',
  list: {
    most: 1000,
    filters: { partnerId: { column: 'partner_id', schema: queryText().optional() } },
    showDeleted: false,
    documented: true,
  },
  reads: { documented: true },
  writes: {
    documented: true,
    create: true,
    update: true,
    remove: 'text',
    createQuery: z.object({ partnerId: queryText().optional() }),
    rules: {
      complete: async (context, body, previous) => {
        const partnerID = body.partnerID ?? previous?.doc.partnerID ?? context.query.partnerId;
        if (partnerID === undefined) {
          throw rejectedField(
            'partnerID',
            'required',
            'A license needs its partner, in the body or in the query',
          );
        }
        await mustExist(context, { partnerID }, 'partnerID', 'partner');
        const activations = Number(previous?.doc.activations ?? 0);
        if (Number(body.activationMax) < activations) {
          throw rejectedField('activationMax', 'tooSmall', 'The license is already activated more often');
        }
        return { ...body, partnerID, activations };
      },
    },
  },
};
