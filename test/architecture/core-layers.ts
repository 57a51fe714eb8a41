/**
 * The layers of the core, from the bottom up: one row per folder, grouped by storey.
 *
 * Invariant: a folder imports only folders that are above it in this list, so there are no cycles.
 */
import type { Layer } from './layer.ts';

const core = 'src-main/core';
const contract = 'src-main/contract';

type Row = Pick<Layer, 'packages' | 'node'> & { readonly name: string };

/** From the bottom up, grouped by storey. A name without a file extension is a folder. */
const floors: readonly Row[] = [
  { name: 'foundations/ports.ts', packages: [], node: [] },
  { name: 'foundations/refusal.ts', packages: [], node: [] },
  { name: 'foundations/trace.ts', packages: [], node: [] },
  { name: 'foundations/text', packages: [], node: [] },
  { name: 'foundations/time', packages: [], node: [] },
  { name: 'foundations/store', packages: ['better-sqlite3'], node: ['crypto', 'fs', 'path'] },
  { name: 'foundations/badge', packages: [], node: [] },
  { name: 'foundations/api', packages: ['undici', 'zod'], node: ['crypto', 'dns', 'net', 'tls', 'zlib'] },
  { name: 'event/mirror', packages: ['zod'], node: ['fs', 'path'] },
  {
    name: 'event/sync',
    packages: ['zod'],
    node: ['crypto', 'events', 'fs', 'path', 'stream', 'worker_threads', 'zlib'],
  },
  { name: 'event/webhook', packages: [], node: ['crypto', 'events', 'http', 'net'] },
  { name: 'event/pictures', packages: ['zod'], node: ['crypto', 'fs', 'path'] },
  { name: 'journal/facts/migrations', packages: [], node: [] },
  { name: 'journal/facts', packages: ['zod'], node: ['crypto', 'path'] },
  { name: 'journal/attachments', packages: [], node: ['crypto', 'fs', 'path'] },
  { name: 'journal/recovery', packages: ['zod'], node: ['crypto', 'fs', 'path', 'zlib'] },
  { name: 'delivery/outbox', packages: ['zod'], node: [] },
  { name: 'delivery/hub', packages: ['zod'], node: [] },
  { name: 'stand/device', packages: [], node: [] },
  { name: 'stand/visit', packages: ['zod'], node: ['fs', 'path'] },
  { name: 'stand/taps', packages: [], node: [] },
  { name: 'stand/health', packages: [], node: ['fs', 'path'] },
  { name: 'team/staff', packages: ['zod'], node: ['async_hooks', 'crypto', 'fs', 'path'] },
  { name: 'team/recognition', packages: [], node: [] },
  { name: 'team/leads', packages: [], node: ['worker_threads'] },
  { name: 'team/formats', packages: ['fflate', 'libphonenumber-js'], node: ['zlib'] },
  { name: 'team/erasure', packages: ['zod'], node: [] },
  { name: 'team/exports', packages: [], node: ['crypto', 'fs', 'path', 'worker_threads'] },
  { name: 'team/destinations', packages: ['zod'], node: ['crypto', 'fs', 'http'] },
  { name: 'team/colleagues', packages: ['zod'], node: [] },
  { name: 'screens.ts', packages: ['@orpc/server'], node: [] },
  { name: 'router.ts', packages: ['@orpc/server'], node: [] },
  { name: 'kiosk.ts', packages: [], node: ['path'] },
];

/** Rows for the layer table. The contract is below all these layers. */
export const coreLayers: readonly Layer[] = floors.map(({ name, packages, node }, floor) => ({
  path: `${core}/${name}`,
  mayImport: [contract, ...floors.slice(0, floor).map((lower) => `${core}/${lower.name}`)],
  packages,
  node,
}));
