/**
 * Is the machine's card service there, and does it answer? Asked before `new NFC()`, which spins for ever where it is
 * not there and blocks where it hangs, and again while readers are watched.
 *
 * Invariants: asking changes nothing and ends within three seconds; with socket activation, asking starts the service.
 * On Windows and macOS only whether it runs is known, so a service that hangs is not noticed there.
 */
import { execFile } from 'node:child_process';
import { connect } from 'node:net';

/** `silent`: it is there and does not answer. */
export type ServiceState = 'up' | 'absent' | 'silent';

const timeoutMs = 1500;

type Environment = Readonly<Record<string, string | undefined>>;

/** Where pcscd listens (pcsc-lite, PCSCLITE_CSOCK_NAME overrides it in clients). */
function cardServiceSocket(env: Environment): string {
  return env.PCSCLITE_CSOCK_NAME || '/run/pcscd/pcscd.comm';
}

/** Asks the card service; one answer missed on a busy machine is asked for again before the service is called silent. */
export async function askCardService(
  os: NodeJS.Platform = process.platform,
  env: Environment = process.env,
): Promise<ServiceState> {
  const state = await askOnce(os, env);
  return state === 'silent' ? askOnce(os, env) : state;
}

/** Windows: SCardSvr runs only while a reader is plugged in. */
function askOnce(os: NodeJS.Platform, env: Environment): Promise<ServiceState> {
  if (os === 'win32') return isWindowsServiceRunning();
  return os === 'darwin' ? Promise.resolve('up') : askDaemon(cardServiceSocket(env));
}

/**
 * CMD_VERSION with protocol 4.4, which every pcscd since 1.8 answers in whatever way (pcsc-lite, winscard_msg.h:
 * `rxHeader` of size and command, then `version_struct` of major, minor and result, each a native 32-bit integer).
 */
function versionRequest(): Uint8Array {
  return new Uint8Array(Uint32Array.of(12, 0x11, 4, 4, 0).buffer);
}

/**
 * The system accepts connections for a daemon that hangs, so only its answer, or its hanging up, shows that it lives. It does
 * so until too many wait (`EAGAIN`).
 */
function askDaemon(path: string): Promise<ServiceState> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    const timer = setTimeout(() => end('silent'), timeoutMs);
    const end = (state: ServiceState) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(state);
    };
    let connected = false;
    socket.once('connect', () => {
      connected = true;
      socket.write(versionRequest());
    });
    socket.once('data', () => end('up'));
    socket.once('end', () => end('up'));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (connected) end('up');
      else end(code === 'EAGAIN' ? 'silent' : 'absent');
    });
  });
}

function isWindowsServiceRunning(): Promise<ServiceState> {
  return new Promise((resolve) => {
    execFile('sc.exe', ['query', 'SCardSvr'], { timeout: timeoutMs, windowsHide: true }, (error, output) =>
      resolve(error === null && output.includes('RUNNING') ? 'up' : 'absent'),
    );
  });
}
