/**
 * Makes a server listen, explains a failure in one sentence, and shuts the server down cleanly on a signal.
 *
 * Invariant: the first signal shuts down; a later second signal ends the process at once. A terminal signals a whole
 * process group, and parents forward the signal, so repeats right after the first count as one.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BadOption } from './options.ts';

type Listening = {
  readonly server: Pick<Server, 'address'>;
  readonly listen: (place: { readonly host: string; readonly port: number }) => Promise<unknown>;
};

type StopLog = {
  readonly info: (details: object, what: string) => void;
  readonly error: (details: object, what: string) => void;
};

/**
 * Listens and returns host and port in URL form, e.g. `[::1]:8810`; port 0 is replaced by the assigned one.
 *
 * @throws {BadOption} if it cannot listen there
 */
export async function listenAt(
  app: Listening,
  place: { readonly host: string; readonly port: number },
): Promise<string> {
  const { host, port } = place;
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BadOption(
      code === 'EADDRINUSE'
        ? `Port ${port} on ${host} is already in use.`
        : `Cannot listen on ${host}, port ${port}: ${code ?? 'unknown reason'}.`,
    );
  }
  const { port: given } = app.server.address() as AddressInfo;
  return `${host.includes(':') ? `[${host}]` : host}:${given}`;
}

/** A signal this soon after the first is a repeat of it. */
const SAME_WISH_MS = 1_000;

/** Shuts the process down through `stop` on a signal. */
export function stopOnSignal(stop: () => Promise<void>, log: StopLog): void {
  let firstAt: number | null = null;
  const hear = (signal: NodeJS.Signals): void => {
    if (firstAt !== null) {
      if (performance.now() - firstAt < SAME_WISH_MS) return;
      process.removeListener('SIGTERM', hear);
      process.removeListener('SIGINT', hear);
      process.kill(process.pid, signal);
      return;
    }
    firstAt = performance.now();
    log.info({ signal }, 'Stopping');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'The stop failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', hear);
  process.on('SIGINT', hear);
}
