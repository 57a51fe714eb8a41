/**
 * The layers of the core: one row per folder, in the order in which they stand on each other.
 *
 * Invariant: a folder imports only what stands before it in this list, so no two folders can need each other.
 */
import type { Layer } from './layer.ts';

const core = 'src-main/core';
const contract = 'src-main/contract';

type Row = Pick<Layer, 'packages' | 'node'> & { readonly name: string };

/** From the ground up. A name without an ending is a folder. */
const floors: readonly Row[] = [
  { name: 'ports.ts', packages: [], node: [] },
  { name: 'refusal.ts', packages: [], node: [] },
  { name: 'text', packages: [], node: [] },
  { name: 'time', packages: [], node: [] },
  { name: 'store', packages: ['better-sqlite3'], node: ['crypto', 'fs', 'path'] },
  { name: 'badge', packages: [], node: [] },
  { name: 'api', packages: ['undici', 'zod'], node: ['crypto', 'dns', 'net', 'tls', 'zlib'] },
  { name: 'journal/migrations', packages: [], node: [] },
  { name: 'journal', packages: ['zod'], node: ['crypto', 'path'] },
  { name: 'recovery', packages: ['zod'], node: ['crypto', 'fs', 'path', 'zlib'] },
  { name: 'mirror', packages: [], node: ['fs', 'path'] },
  { name: 'outbox', packages: ['zod'], node: [] },
  { name: 'sync', packages: ['zod'], node: ['crypto', 'fs', 'path', 'stream', 'zlib'] },
  { name: 'webhook', packages: [], node: ['crypto', 'events', 'http', 'net'] },
  { name: 'device', packages: [], node: [] },
  { name: 'pictures', packages: ['sharp', 'zod'], node: ['crypto', 'fs', 'path'] },
  { name: 'stand', packages: ['zod'], node: ['fs', 'path'] },
  { name: 'taps', packages: [], node: [] },
  { name: 'health', packages: [], node: ['fs', 'path'] },
  { name: 'hub', packages: ['zod'], node: [] },
  { name: 'staff', packages: ['zod'], node: ['crypto', 'fs', 'path'] },
  { name: 'leads', packages: [], node: ['worker_threads'] },
  { name: 'formats', packages: ['csv-stringify', 'fflate'], node: [] },
  { name: 'erasure', packages: ['zod'], node: [] },
  { name: 'exports', packages: [], node: ['crypto', 'fs', 'path', 'worker_threads'] },
  { name: 'team', packages: ['zod'], node: [] },
  { name: 'stores.ts', packages: [], node: ['path'] },
  { name: 'screens.ts', packages: ['@orpc/server'], node: [] },
  { name: 'handover.ts', packages: [], node: [] },
  { name: 'tapping.ts', packages: [], node: [] },
  { name: 'platform.ts', packages: [], node: [] },
  { name: 'router.ts', packages: ['@orpc/server'], node: [] },
  { name: 'kiosk.ts', packages: [], node: ['path'] },
];

/** Rows for the layer table. The contract is below all of it. */
export const coreLayers: readonly Layer[] = floors.map(({ name, packages, node }, floor) => ({
  path: `${core}/${name}`,
  mayImport: [contract, ...floors.slice(0, floor).map((lower) => `${core}/${lower.name}`)],
  packages,
  node,
}));
