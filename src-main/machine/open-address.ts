/**
 * Opens an address in the user's browser.
 *
 * Invariant: best effort. Without a screen or a browser nothing happens, because the address is printed as well.
 */
import { spawn } from 'node:child_process';
import { childEnvironment } from './child-environment.ts';

/** Whether this machine has a screen. */
export function hasDisplay(
  env: NodeJS.ProcessEnv = process.env,
  os: NodeJS.Platform = process.platform,
): boolean {
  return os === 'win32' || os === 'darwin' || Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY);
}

/** The system's program that opens `address` in the default browser, and its arguments. No shell interprets them. */
export function openCommand(address: string, os: NodeJS.Platform): readonly [string, ...string[]] {
  if (os === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return [os === 'darwin' ? 'open' : 'xdg-open', address];
}

/** Opens `address` in the default browser, if there is one. A link works once, so it may appear in process lists. */
export function openAddress(address: string, os: NodeJS.Platform = process.platform): void {
  if (!hasDisplay(process.env, os)) return;
  const [command, ...args] = openCommand(address, os);
  const child = spawn(command, args, {
    env: childEnvironment(),
    stdio: 'ignore',
    detached: true,
  });
  child.on('error', () => undefined);
  child.unref();
}
