/** Labels: coloured words that group profiles and products. */
import { z } from 'zod';
import { id, revision, text } from './fields.ts';
import type { Resource } from './resource.ts';

const labelFields = {
  name: text(),
  color: z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must look like #rrggbb'),
  types: z
    .array(z.enum(['profile', 'product']))
    .min(1)
    .max(2),
};

/** Coloured words that categorise profiles and products. */
export const labels: Resource = {
  kind: 'label',
  folder: 'labels',
  noun: 'label',
  parameter: 'labelId',
  ofCompany: 'event',
  basic: z.object({
    id: id(),
    expoID: id(),
    ...labelFields,
    revision: revision(),
    deleted: z.literal(true).optional(),
  }),
  body: z.object(labelFields),
  keepsUnknown: true,
  examples: {
    create: { name: 'Robotics', color: '#0a7d5c', types: ['profile', 'product'] },
    update: { name: 'Robotics', color: '#0a7d5c', types: ['profile'] },
  },
  keepsDeleted: true,
  list: { most: 100, filters: {}, showDeleted: true, documented: true },
  reads: { documented: true },
  writes: {
    documented: true,
    create: true,
    update: true,
    remove: 'empty',
    rules: { complete: (_context, body) => body },
  },
};
