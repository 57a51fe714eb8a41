/**
 * A server at its address: where it listens, in words where it cannot, and stopped in order by a signal.
 *
 * Invariant: a signal stops once; a second one ends the process as the system does.
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
 * Listens and answers host and port as an address writes them, e.g. `[::1]:8810`; port 0 becomes the one that was given.
 *
 * @throws {BadOption} where it cannot listen there
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

/** Ends the process by `stop` when a signal asks for it. */
export function stopOnSignal(stop: () => Promise<void>, log: StopLog): void {
  const once = (signal: NodeJS.Signals): void => {
    process.removeListener('SIGTERM', once);
    process.removeListener('SIGINT', once);
    log.info({ signal }, 'Stopping');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'The stop failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', once);
  process.on('SIGINT', once);
}
