/**
 * Shows an address in the browser of the person at this machine.
 *
 * Invariant: best effort; a machine without a screen or without a browser is no fault, the address is printed anyway.
 */
import { spawn } from 'node:child_process';

/** Whether this machine has a screen to show something on. */
export function hasDisplay(
  env: NodeJS.ProcessEnv = process.env,
  os: NodeJS.Platform = process.platform,
): boolean {
  return os === 'win32' || os === 'darwin' || Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY);
}

/** The program of each system that shows `address` in the default browser, and what it is told. No shell reads it. */
export function openCommand(address: string, os: NodeJS.Platform): readonly [string, ...string[]] {
  if (os === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return [os === 'darwin' ? 'open' : 'xdg-open', address];
}

/** Opens `address` in the default browser, if there is one. The address is good once, so others may read it here. */
export function openAddress(address: string, os: NodeJS.Platform = process.platform): void {
  if (!hasDisplay(process.env, os)) return;
  const [command, ...args] = openCommand(address, os);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
