/**
 * Licenses that a partner bought (docs/interface/endpoints.md#rule-2).
 *
 * Invariants
 * - `activations` counts the uses of a license; no request body changes it.
 * - A license never allows fewer activations than it already has.
 */
import { z } from 'zod';
import { rejectedField } from '../http/errors.ts';
import { id, queryText, revision } from './fields.ts';
import { ownerFields, ownerOf, ownerQuery, partnerInBody } from './references.ts';
import type { Resource } from './resource.ts';

const licenseType = z.enum(['touchpoint', 'scan', 'badge', 'app']);
const activationMax = z.int().min(0).max(1_000_000);

/** A license that a partner bought. `activations` counts its uses (docs/interface/endpoints.md#rule-2). */
export const licenses: Resource = {
  kind: 'license',
  folder: 'licenses',
  noun: 'license',
  parameter: 'licenseId',
  ofCompany: 'own',
  basic: z.object({
    id: id(),
    expoID: id(),
    partnerID: id(),
    type: licenseType,
    activationMax,
    activations: z.int(),
    revision: revision(),
  }),
  body: z.object({ ...ownerFields, type: licenseType, activationMax }),
  keepsUnknown: true,
  examples: {
    create: { partnerID: 'AD2026P002', type: 'touchpoint', activationMax: 2 },
    update: { type: 'touchpoint', activationMax: 5 },
  },
  category: 'type',
  list: {
    most: 1000,
    filters: {
      partnerId: { column: 'partner_id', schema: queryText().optional() },
      // The second spelling of the field. POST accepts both.
      partnerID: { column: 'partner_id', schema: queryText().optional(), undocumented: true },
    },
    showDeleted: false,
    documented: true,
  },
  reads: { documented: true },
  writes: {
    documented: true,
    create: true,
    update: true,
    remove: 'text',
    createQuery: ownerQuery,
    undocumentedQuery: ['partnerID'],
    rules: {
      complete: async (context, body, previous) => {
        const { partnerId: _spelling, ...rest } = body;
        const named = partnerInBody(body) ?? previous?.doc.partnerID;
        const partnerID = await ownerOf(context, { partnerID: named }, 'license', previous);
        const activations = Number(previous?.doc.activations ?? 0);
        if (Number(body.activationMax) < activations) {
          throw rejectedField('activationMax', 'tooSmall', 'The license is already activated more often');
        }
        return { ...rest, partnerID, activations };
      },
    },
  },
};
