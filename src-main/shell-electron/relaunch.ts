/**
 * Starts the app again after it has ended.
 *
 * Invariants:
 * - the new start gets the arguments that `parseOptions` reads, from a source tree and from a package;
 * - an AppImage is not restarted by Electron: Electron's helper runs from the app's mount, which disappears when the
 *   app exits. The helper also has `no_new_privs`, so fusermount cannot mount the AppImage again
 *   (electron-builder#1727, #4650).
 */
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { basename, sep } from 'node:path';
import type { ShellApp } from './electron-api.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How this app was started. */
export type Started = {
  readonly env: Environment;
  /** The path that Electron was started with as its app; null in a package. */
  readonly appPath: string | null;
  readonly startDetached: typeof startDetached;
};

/**
 * The AppImage that this app runs from, or null. Its runtime sets both variables. Every program that an AppImage starts
 * inherits them (an editor, a terminal), so the app's own program must be in `APPDIR`.
 */
export function appImageOf(
  app: Pick<ShellApp, 'getPath' | 'isPackaged'>,
  { APPDIR, APPIMAGE }: Environment,
): string | null {
  if (!app.isPackaged || !APPDIR || !APPIMAGE) return null;
  return app.getPath('exe').startsWith(realFolder(APPDIR) + sep) ? APPIMAGE : null;
}

/** The folder with symbolic links resolved, such as a linked `/tmp`. Unchanged if it does not exist. */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Ends the app and starts it again with these arguments. `program`: its AppImage, if that was renamed. */
export function relaunch(
  app: Pick<ShellApp, 'getPath' | 'isPackaged' | 'quit' | 'relaunch'>,
  { env, appPath, startDetached }: Started,
  args: readonly string[],
  program: string | null = appImageOf(app, env),
): void {
  if (program === null) app.relaunch({ args: appPath === null ? [...args] : [appPath, ...args] });
  else startDetached(program, isUnpacked(env) ? ['--appimage-extract-and-run', ...args] : args);
  app.quit();
}

/** Whether the AppImage was unpacked instead of mounted. Its runtime takes that argument for itself. */
function isUnpacked({ APPDIR = '' }: Environment): boolean {
  return basename(APPDIR).startsWith('appimage_extracted_');
}

/** Waits up to 15 seconds for the end of the process in its first argument, then becomes the program in the second. */
const WAIT_AND_START =
  'pid=$1; shift; n=0; while [ $n -lt 150 ] && kill -0 "$pid" 2>/dev/null; do sleep 0.1; n=$((n+1)); done; exec "$@"';

/** Starts a program when this process has ended. Not for Windows. */
export function startDetached(program: string, args: readonly string[]): void {
  const shellArgs = ['-c', WAIT_AND_START, 'sh', String(process.pid), program, ...args];
  spawn('/bin/sh', shellArgs, { detached: true, stdio: 'ignore', cwd: '/' }).unref();
}
