/**
 * The layers around the core: devices, the machine, the data folder, the commands, the start and the two
 * shells.
 *
 * Invariant: one row per folder. Each row names only folders above it in this list, so there is no cycle.
 */
import type { Layer } from './layer.ts';

const main = 'src-main';
const contract = `${main}/contract`;
const core = `${main}/core`;
const devices = `${main}/devices`;

export const shellLayers: readonly Layer[] = [
  {
    path: `${main}/machine`,
    mayImport: [`${contract}/device.ts`, `${core}/foundations/ports.ts`, `${core}/stand/health`],
    packages: [],
    node: ['child_process', 'crypto', 'fs', 'net', 'os', 'path', 'timers', 'util'],
  },
  {
    path: `${main}/certificate`,
    mayImport: [],
    packages: ['asn1js', 'pkijs'],
    node: ['crypto', 'fs'],
  },

  {
    path: `${devices}/card`,
    mayImport: [`${core}/foundations/ports.ts`, `${core}/foundations/badge`],
    packages: ['nfc-pcsc', '@pokusew/pcsclite'],
    node: ['events'],
  },
  {
    path: `${devices}/reader`,
    mayImport: [
      `${devices}/card`,
      `${main}/machine`,
      `${core}/foundations/ports.ts`,
      `${core}/foundations/badge`,
    ],
    packages: ['nfc-pcsc', '@pokusew/pcsclite'],
    node: [],
  },
  {
    path: `${devices}/supervisor`,
    mayImport: [
      `${devices}/reader`,
      `${main}/machine/child-environment.ts`,
      `${core}/foundations/ports.ts`,
      `${core}/foundations/badge`,
    ],
    packages: [],
    node: ['child_process', 'url'],
  },
  {
    path: `${devices}/serial`,
    mayImport: [`${core}/foundations/ports.ts`],
    packages: [],
    node: ['child_process', 'fs', 'tty', 'util'],
  },
  { path: `${devices}/virtual`, mayImport: [], packages: [], node: ['crypto', 'net'] },

  {
    path: `${main}/drawing`,
    mayImport: [
      `${devices}/reader/parent-channel.ts`,
      `${main}/machine/child-environment.ts`,
      `${main}/machine/lowest-priority.ts`,
      `${core}/event/pictures`,
      `${core}/foundations/ports.ts`,
    ],
    packages: ['sharp', 'zod'],
    node: ['child_process', 'module'],
  },
  {
    path: `${main}/reading`,
    mayImport: [
      `${devices}/reader/parent-channel.ts`,
      `${main}/drawing/picture-drawer.ts`,
      `${main}/machine/lowest-priority.ts`,
      `${core}/team/recognition/people-search.ts`,
      `${core}/team/recognition/read-line.ts`,
      `${core}/foundations/ports.ts`,
      `${contract}/recognition.ts`,
    ],
    packages: ['tesseract.js', 'tesseract.js-core', 'zod'],
    node: ['fs', 'module', 'path', 'timers', 'url', 'v8', 'worker_threads', 'zlib'],
  },
  {
    path: `${main}/log`,
    mayImport: [`${core}/foundations/ports.ts`],
    packages: ['pino'],
    node: ['fs', 'path'],
  },
  {
    path: `${main}/data-folder`,
    mayImport: [
      `${core}/foundations/refusal.ts`,
      `${core}/foundations/trace.ts`,
      `${core}/foundations/store/database.ts`,
      `${core}/event/webhook`,
      `${core}/stand/visit/settings.ts`,
      `${main}/machine`,
      'assets',
    ],
    packages: ['zod'],
    node: ['fs', 'os', 'path'],
  },
  {
    path: `${main}/demo-platform`,
    mayImport: [
      `${main}/machine/child-environment.ts`,
      `${core}/foundations/ports.ts`,
      `${core}/foundations/refusal.ts`,
      `${core}/foundations/trace.ts`,
    ],
    packages: [],
    node: ['child_process', 'path', 'readline', 'url'],
  },
  {
    path: `${main}/provision`,
    mayImport: [`${contract}/device.ts`],
    packages: ['zod'],
    node: ['crypto', 'zlib'],
  },
  {
    path: `${main}/device-key`,
    mayImport: [`${contract}/health.ts`],
    packages: [],
    node: [],
  },
  {
    path: `${main}/device-setup`,
    mayImport: [contract, core, `${main}/data-folder`, `${main}/provision`, `${main}/device-key`],
    packages: ['@orpc/server', 'zod'],
    node: ['crypto', 'fs', 'path', 'timers', 'util'],
  },
  {
    path: `${main}/sharing`,
    mayImport: [
      contract,
      core,
      `${main}/machine`,
      `${main}/provision`,
      `${main}/device-key`,
      `${main}/device-setup`,
    ],
    packages: ['zod'],
    node: ['child_process', 'events', 'fs', 'os', 'path', 'tls'],
  },
  {
    path: `${main}/rehearsal`,
    mayImport: [contract, core, `${main}/device-setup/whole-file.ts`],
    packages: ['@orpc/server', 'zod'],
    node: ['fs', 'path'],
  },
  {
    path: `${main}/commands/tap`,
    mayImport: [
      `${devices}/reader/card-service.ts`,
      `${devices}/virtual`,
      `${main}/machine`,
      `${core}/foundations/badge`,
      `${core}/foundations/ports.ts`,
      contract,
    ],
    packages: ['@pokusew/pcsclite', '@orpc/client', '@orpc/contract', 'ws', 'zod'],
    node: ['child_process', 'fs', 'path', 'util'],
  },
  {
    path: `${main}/commands/health`,
    mayImport: [contract, `${main}/machine`, `${main}/rehearsal`, core],
    packages: [],
    node: ['fs', 'path'],
  },
  {
    path: `${main}/commands/diagnostics`,
    mayImport: [`${main}/commands/health`, core],
    packages: [],
    node: ['fs', 'os', 'path'],
  },
  { path: `${main}/commands/command-line.ts`, mayImport: [], packages: [], node: ['util'] },
  {
    path: `${main}/commands/leads`,
    mayImport: [contract, `${main}/commands/command-line.ts`, `${main}/data-folder`, `${main}/machine`, core],
    packages: [],
    node: ['events', 'path', 'util'],
  },
  { path: `${main}/commands/screen`, mayImport: [], packages: [], node: ['fs'] },
  {
    path: `${main}/commands`,
    mayImport: [
      `${main}/commands/command-line.ts`,
      `${main}/commands/diagnostics`,
      `${main}/commands/health`,
      `${main}/commands/leads`,
      `${main}/commands/screen`,
      `${main}/commands/tap`,
      `${main}/data-folder`,
      `${main}/machine`,
      core,
    ],
    packages: ['fflate'],
    node: ['child_process', 'events', 'fs', 'path', 'timers', 'util'],
  },

  { path: `${main}/page`, mayImport: [], packages: ['zod'], node: ['crypto', 'fs', 'path', 'stream'] },
  {
    path: `${main}/shell-browser`,
    mayImport: [`${core}/foundations/ports.ts`, `${core}/foundations/refusal.ts`, `${main}/page`],
    packages: ['@orpc/server', 'ws', 'zod'],
    node: ['crypto', 'fs', 'http', 'path', 'stream'],
  },
  {
    path: `${main}/phones`,
    mayImport: [
      contract,
      core,
      `${main}/machine/networks.ts`,
      `${main}/certificate`,
      `${main}/device-setup/whole-file.ts`,
      `${main}/page`,
      `${main}/shell-browser`,
    ],
    packages: ['@orpc/server', 'zod'],
    node: ['crypto', 'fs', 'http', 'https', 'net', 'path', 'stream'],
  },
  {
    path: `${main}/launch`,
    mayImport: [
      contract,
      core,
      `${devices}/supervisor`,
      `${devices}/serial`,
      `${main}/machine`,
      `${main}/drawing`,
      `${main}/reading`,
      `${main}/log`,
      `${main}/data-folder`,
      `${main}/demo-platform`,
      `${main}/page`,
      `${main}/device-key`,
      `${main}/device-setup`,
      `${main}/rehearsal`,
      `${main}/sharing`,
      `${main}/shell-browser`,
      `${main}/phones`,
      'assets',
    ],
    packages: ['@orpc/server', 'zod'],
    node: ['child_process', 'crypto', 'fs', 'path', 'readline', 'url', 'util'],
  },
  {
    path: `${main}/shell-electron/policies`,
    mayImport: [`${main}/page`],
    packages: ['electron types only'],
    node: ['path', 'stream'],
  },
  {
    path: `${main}/shell-electron/keychain`,
    mayImport: [`${main}/device-key`, `${core}/foundations/ports.ts`],
    packages: ['electron types only', 'zod'],
    node: [],
  },
  {
    path: `${main}/shell-electron/updates`,
    mayImport: [`${core}/foundations/ports.ts`],
    packages: ['builder-util-runtime', 'electron-updater', 'zod'],
    node: ['crypto', 'fs', 'http', 'https', 'path'],
  },
  {
    path: `${main}/shell-electron`,
    mayImport: [
      `${main}/shell-electron/policies`,
      `${main}/shell-electron/keychain`,
      `${main}/shell-electron/updates`,
      `${core}/foundations/refusal.ts`,
      `${core}/foundations/trace.ts`,
      `${core}/foundations/ports.ts`,
      `${devices}/supervisor`,
      `${devices}/reader/parent-channel.ts`,
      `${main}/machine`,
      `${main}/drawing/picture-drawer.ts`,
      `${main}/data-folder`,
      `${main}/demo-platform`,
      `${main}/page`,
      `${main}/sharing/sharing-child.ts`,
      `${main}/launch`,
    ],
    packages: ['electron', '@orpc/server', 'zod'],
    node: ['child_process', 'fs', 'path', 'readline', 'url'],
  },
];
