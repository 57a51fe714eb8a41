/**
 * A serial port without a device: the terminal that `script` opens for a program. Its path stays the same when it is
 * unplugged and plugged in again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realClock } from '../../../src-main/machine/real-time.ts';

const found = process.platform === 'linux' && existsSync('/usr/bin/script');

/** For `notRunUnless(serialPorts.present, serialPorts.reason)`. */
export const serialPorts = {
  present: found,
  reason: 'there is no util-linux `script` to open a terminal with',
};

export type PortAtHand = AsyncDisposable & {
  readonly path: string;
  /** Sends `text` as the scanner on the port. */
  readonly type: (text: string) => Promise<void>;
  readonly unplug: () => Promise<void>;
  readonly plugIn: () => Promise<void>;
};

/** A port that is plugged in. */
export async function openSerialPort(): Promise<PortAtHand> {
  const folder = await mkdtemp(join(tmpdir(), 'touchpoint-port-'));
  const path = join(folder, 'ttyS7');
  let master: ChildProcess | null = null;
  let plugged = 0;

  const unplug = async (): Promise<void> => {
    const leaving = master;
    master = null;
    if (leaving === null) return;
    await rm(path);
    leaving.kill('SIGKILL');
    await once(leaving, 'exit');
  };
  const plugIn = async (): Promise<void> => {
    plugged += 1;
    const name = join(folder, `name-${plugged}`);
    // The program writes the name in one piece. Then it keeps its end of the terminal open without reading it.
    const program = `tty > ${name}.part; mv ${name}.part ${name}; exec sleep 600`;
    master = spawn('/usr/bin/script', ['-qfc', program, '/dev/null'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    while (!existsSync(name)) await realClock.sleep(5);
    await symlink((await readFile(name, 'utf8')).trim(), `${path}.new`);
    await rename(`${path}.new`, path);
  };
  await plugIn();
  return {
    path,
    type: async (text) => void master?.stdin?.write(text),
    unplug,
    plugIn,
    [Symbol.asyncDispose]: async () => {
      await unplug();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
