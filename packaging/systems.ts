/**
 * The systems that packages are made for, and their differences.
 *
 * Invariant: everything that depends on the system is a field here.
 */

/** A kind of machine. `os`, `cpu` and `libc` have npm's values. */
export type System = {
  readonly id: 'linux-x64' | 'linux-arm64' | 'windows-x64' | 'windows-arm64' | 'mac-arm64' | 'mac-x64';
  readonly os: 'linux' | 'win32' | 'darwin';
  readonly cpu: 'x64' | 'arm64';
  readonly libc: 'glibc' | null;
  /** The binary of better-sqlite3 for this system, in its folder `prebuilds`. */
  readonly sqlite: string;
  /** Path of the packed app below electron-builder's folder. */
  readonly unpacked: string;
  /** Folder of `app.asar` below that. */
  readonly resources: string;
  /** The file with the fuses below that. */
  readonly fused: string;
  /** Debian's name of the machine, or null if there is no Debian package. */
  readonly debian: 'amd64' | 'arm64' | null;
  /** The machine in the name of an AppImage, or null if there is no AppImage. */
  readonly appImage: 'x86_64' | 'arm64' | null;
};

const macFused = 'Touchpoint.app/Contents/Frameworks/Electron Framework.framework/Electron Framework';

/** The systems by the name of the kind of package (`kinds.ts`). */
export const systems = {
  linux: {
    id: 'linux-x64',
    os: 'linux',
    cpu: 'x64',
    libc: 'glibc',
    sqlite: 'linux-x64.node',
    unpacked: 'linux-unpacked',
    resources: 'resources',
    fused: 'touchpoint',
    debian: 'amd64',
    appImage: 'x86_64',
  },
  'linux-arm64': {
    id: 'linux-arm64',
    os: 'linux',
    cpu: 'arm64',
    libc: 'glibc',
    sqlite: 'linux-arm64.node',
    unpacked: 'linux-arm64-unpacked',
    resources: 'resources',
    fused: 'touchpoint',
    debian: 'arm64',
    appImage: 'arm64',
  },
  windows: {
    id: 'windows-x64',
    os: 'win32',
    cpu: 'x64',
    libc: null,
    sqlite: 'win32-x64.node',
    unpacked: 'win-unpacked',
    resources: 'resources',
    // The badge reader's binary expects its runtime under this name (electron/electron#15147).
    fused: 'electron.exe',
    debian: null,
    appImage: null,
  },
  'windows-arm64': {
    id: 'windows-arm64',
    os: 'win32',
    cpu: 'arm64',
    libc: null,
    sqlite: 'win32-arm64.node',
    unpacked: 'win-arm64-unpacked',
    resources: 'resources',
    fused: 'electron.exe',
    debian: null,
    appImage: null,
  },
  mac: {
    id: 'mac-arm64',
    os: 'darwin',
    cpu: 'arm64',
    libc: null,
    sqlite: 'darwin-arm64.node',
    unpacked: 'mac-arm64',
    resources: 'Touchpoint.app/Contents/Resources',
    fused: macFused,
    debian: null,
    appImage: null,
  },
  'mac-x64': {
    id: 'mac-x64',
    os: 'darwin',
    cpu: 'x64',
    libc: null,
    sqlite: 'darwin-x64.node',
    unpacked: 'mac',
    resources: 'Touchpoint.app/Contents/Resources',
    fused: macFused,
    debian: null,
    appImage: null,
  },
} as const satisfies Readonly<Record<string, System>>;
