/**
 * A private namespace of the machine for one test: its own `/run/pcscd`, its own loopback, its own process numbers.
 * Needs root and util-linux.
 *
 * Invariant: every process inside dies with the test process. The first process of the namespace reads from a pipe of
 * the test and ends when the pipe closes. The kernel then kills the rest.
 */
import { type ChildProcess, execFile, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';

/** Whether a private namespace is possible. True, or what is missing as one sentence. */
export function namespaceMeans(): true | string {
  if (process.platform !== 'linux') return 'namespaces need Linux';
  if (process.getuid?.() !== 0) return 'namespaces need root';
  try {
    execFileSync('unshare', ['-m', '-n', '-p', '--fork', '--mount-proc', 'ip', 'link', 'set', 'lo', 'up'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return 'this machine refuses private namespaces (unshare, ip)';
  }
}

/** An open namespace. */
export type Namespace = {
  /** Arguments of `nsenter` to enter it. */
  readonly entry: readonly string[];
  /** Starts a program inside. End it with `killInside`. */
  readonly spawn: (command: string, args: readonly string[], options?: SpawnOptions) => ChildProcess;
  /** Runs a program inside to its end and returns its output. Rejects unless it exits with 0. */
  readonly run: (command: string, args: readonly string[], timeoutMs?: number) => Promise<string>;
  readonly close: () => Promise<void>;
};

// vpcd sends a command's length and its bytes separately. The second waits for the acknowledgement of the first,
// which Linux delays by 40 ms at every command. No hardware reader has that delay.
const acknowledgeAtOnce = 'ip route replace local 127.0.0.1 dev lo table local quickack 1';
const firstProcess = [
  'mkdir -p /run/pcscd && mount -t tmpfs none /run/pcscd && ip link set lo up',
  acknowledgeAtOnce,
  'echo ready && exec cat >/dev/null',
].join(' && ');

/** Opens a namespace. */
export async function openNamespace(): Promise<Namespace> {
  const holder = spawn(
    'unshare',
    ['-m', '-n', '-p', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', firstProcess],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await once(holder.stdout, 'data');
  const inside = childrenOf(holder.pid ?? 0)[0];
  if (inside === undefined) throw new Error('The namespace has no first process');
  const entry = ['-t', String(inside), '-m', '-n', '-p', '--'];
  return {
    entry,
    spawn: (command, args, options = {}) => spawn('nsenter', [...entry, command, ...args], options),
    run: (command, args, timeoutMs = 60_000) =>
      new Promise((resolve, reject) => {
        execFile('nsenter', [...entry, command, ...args], { timeout: timeoutMs }, (error, output) =>
          error instanceof Error ? reject(error) : resolve(output),
        );
      }),
    close: async () => {
      if (holder.exitCode !== null || holder.signalCode !== null) return;
      const ended = once(holder, 'exit');
      holder.kill('SIGKILL');
      await ended;
    },
  };
}

/** Kills a program that was spawned inside. Killing `nsenter` would leave it running. */
export function killInside(child: ChildProcess): void {
  signalInside(child, 'SIGKILL');
  child.kill('SIGKILL');
}

/** Signals a program that was spawned inside, not the `nsenter` around it. */
export function signalInside(child: ChildProcess, signal: NodeJS.Signals): void {
  for (const pid of childrenOf(child.pid ?? 0)) signalQuietly(pid, signal);
}

function childrenOf(pid: number): readonly number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  if (pid === 0 || !existsSync(path)) return [];
  return readFileSync(path, 'utf8').split(' ').filter(Boolean).map(Number);
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process ended between the check and the signal.
  }
}
