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

/** Opens `address` in the default browser, if there is one. The address is good once, so others may read it here. */
export function openAddress(address: string): void {
  if (!hasDisplay()) return;
  const [command, ...args] =
    process.platform === 'win32'
      ? ['rundll32', 'url.dll,FileProtocolHandler', address]
      : [process.platform === 'darwin' ? 'open' : 'xdg-open', address];
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
