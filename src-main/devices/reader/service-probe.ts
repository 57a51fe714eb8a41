/**
 * Is the machine's card service there? Asked before `new NFC()`, which spins for ever where it is not.
 *
 * Invariant: asking changes nothing and ends within a second. With socket activation, asking starts the service.
 */
import { execFile } from 'node:child_process';
import { connect } from 'node:net';

const timeoutMs = 1000;

/** Where pcscd listens (pcsc-lite, PCSCLITE_CSOCK_NAME overrides it in clients). */
function cardServiceSocket(env: Readonly<Record<string, string | undefined>>): string {
  return env.PCSCLITE_CSOCK_NAME || '/run/pcscd/pcscd.comm';
}

/** True when the card service answers. Windows: SCardSvr runs only while a reader is plugged in. */
export function isCardServiceUp(
  os: NodeJS.Platform = process.platform,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<boolean> {
  if (os === 'win32') return isWindowsServiceRunning();
  return os === 'darwin' ? Promise.resolve(true) : isListening(cardServiceSocket(env));
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path, timeout: timeoutMs });
    const done = (up: boolean) => {
      socket.destroy();
      resolve(up);
    };
    socket.once('connect', () => done(true));
    socket.once('timeout', () => done(false));
    socket.once('error', () => done(false));
  });
}

function isWindowsServiceRunning(): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('sc.exe', ['query', 'SCardSvr'], { timeout: timeoutMs, windowsHide: true }, (error, output) =>
      resolve(error === null && output.includes('RUNNING')),
    );
  });
}
