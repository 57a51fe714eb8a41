/**
 * One measured process of `npm run bench -- sync`: `child.ts ROLE TASK`, with the task as JSON. It prints its result
 * as one line of JSON.
 *
 * Invariant: a role loads only what it needs, so that its start time and memory are its own.
 */

type Role = (task: never) => Promise<unknown>;

const roles: Readonly<Record<string, () => Promise<Role>>> = {
  firstSync: async () => (await import('./kiosk.ts')).firstSync,
  begin: async () => (await import('./kiosk.ts')).begin,
  drain: async () => (await import('./kiosk.ts')).drain,
  lookUp: async () => (await import('./folder.ts')).lookUp,
  fill: async () => (await import('./folder.ts')).fill,
  bare: async () => (await import('./bare.ts')).bareDownload,
  bareSnapshot: async () => (await import('./bare-snapshot.ts')).bareSnapshot,
  replicate: async () => (await import('./pouch.ts')).replicate,
};

const [role = '', task = '{}'] = process.argv.slice(2);
const load = roles[role];
if (load === undefined) throw new Error(`There is no role ${role}`);
const run = await load();
const found = await run(JSON.parse(task) as never);
process.stdout.write(`${JSON.stringify(found)}\n`);

export {};
