/**
 * Ports to the contract: who has one, and what goes through it to the core and back.
 *
 * Invariants: only the top frame of a page of ours gets a port, one at a time; an older one of the same page is closed;
 * one that says anything but messages of the contract loses its port;
 * a page that asks while there is no core gets its port as soon as there is one; when the core ends, every port closes, so
 * that each page knows.
 */
import { isPageMessage } from '../page/page-messages.ts';
import type { ToCore } from './core-messages.ts';
import type { ConnectEvent, ElectronApi, ShellPort } from './electron-api.ts';
import { maySpeak } from './policies/sender.ts';

type Page = ConnectEvent['sender'];

export type PagePorts = {
  /** Answers `touchpoint:connect` with a port, now or as soon as there is a core; false where none is given. */
  readonly connect: (event: ConnectEvent) => boolean;
  /** What the core says to a page. */
  readonly said: (page: number, data: unknown) => void;
  /** There is a core again: whoever waits gets a port. */
  readonly ready: () => void;
  /** Every conversation is over. */
  readonly closeAll: () => void;
};

type Ports = {
  readonly makeChannel: () => InstanceType<ElectronApi['MessageChannelMain']>;
  readonly isReady: () => boolean;
  readonly send: (message: ToCore) => void;
};

/** No port is given yet. */
export function createPagePorts({ makeChannel, isReady, send }: Ports): PagePorts {
  const given = new Map<number, { readonly page: Page; readonly port: ShellPort }>();
  const waiting = new Set<Page>();
  let last = 0;

  const drop = (id: number) => {
    if (given.delete(id)) send({ kind: 'page-closed', page: id });
  };
  const give = (page: Page) => {
    for (const [id, { page: other, port }] of given) {
      if (other !== page) continue;
      drop(id);
      port.close();
    }
    const { port1, port2 } = makeChannel();
    last += 1;
    const id = last;
    given.set(id, { page, port: port1 });
    send({ kind: 'page-opened', page: id });
    port1.on('message', ({ data }) => {
      if (!given.has(id)) return;
      if (isPageMessage(data)) return send({ kind: 'page-said', page: id, data });
      drop(id);
      port1.close();
    });
    port1.on('close', () => drop(id));
    port1.start();
    page.postMessage('touchpoint:port', null, [port2]);
  };

  return {
    connect: (event) => {
      if (!maySpeak(event)) return false;
      if (isReady()) give(event.sender);
      else waiting.add(event.sender);
      return true;
    },
    said: (id, data) => given.get(id)?.port.postMessage(data),
    ready: () => {
      for (const page of waiting) give(page);
      waiting.clear();
    },
    closeAll: () => {
      const open = [...given.values()];
      given.clear();
      for (const { port } of open) port.close();
    },
  };
}
