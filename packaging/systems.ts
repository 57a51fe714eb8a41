/**
 * The systems that packages are made for, and their differences.
 *
 * Invariant: everything that depends on the system is a field here.
 */

/** A kind of machine. `os`, `cpu` and `libc` have npm's values. */
export type System = {
  readonly id: 'linux-x64' | 'windows-x64' | 'mac-arm64';
  readonly os: 'linux' | 'win32' | 'darwin';
  readonly cpu: 'x64' | 'arm64';
  readonly libc: 'glibc' | null;
  /** The binary of better-sqlite3 for it, in its folder `prebuilds`. */
  readonly sqlite: string;
  /** Path of the packed app below electron-builder's folder. */
  readonly unpacked: string;
  /** Folder of `app.asar` below that. */
  readonly resources: string;
  /** The file with the fuses below that. */
  readonly fused: string;
};

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
  },
  mac: {
    id: 'mac-arm64',
    os: 'darwin',
    cpu: 'arm64',
    libc: null,
    sqlite: 'darwin-arm64.node',
    unpacked: 'mac-arm64',
    resources: 'Touchpoint.app/Contents/Resources',
    fused: 'Touchpoint.app/Contents/Frameworks/Electron Framework.framework/Electron Framework',
  },
} as const satisfies Readonly<Record<string, System>>;
