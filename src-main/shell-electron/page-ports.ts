/**
 * Message ports between pages and the core.
 *
 * Invariants:
 * - only the top frame of our page gets a port; a new port of the same page closes the older one;
 * - a page that sends anything other than messages of the contract loses its port;
 * - a page that asks while no core is running gets its port when the core is ready;
 * - when the core ends, every port closes, so that each page notices.
 */
import { isPageMessage } from '../page/page-messages.ts';
import type { ToCore } from './core-messages.ts';
import type { ConnectEvent, ElectronApi, ShellPort } from './electron-api.ts';
import { maySpeak } from './policies/own-page.ts';

type Page = ConnectEvent['sender'];

export type PagePorts = {
  /** Answers `touchpoint:connect` with a port, now or when the core is ready; false when the sender gets none. */
  readonly connect: (event: ConnectEvent) => boolean;
  /** Sends a message of the core to a page. */
  readonly said: (page: number, data: unknown) => void;
  /** Call it when the core is ready: each waiting page gets a port. */
  readonly ready: () => void;
  /** Closes every port. */
  readonly closeAll: () => void;
};

/** Creates the ports. `isReady`: whether the core is ready; `send`: sends it a message. */
export function createPagePorts({
  makeChannel,
  isReady,
  send,
}: {
  readonly makeChannel: () => InstanceType<ElectronApi['MessageChannelMain']>;
  readonly isReady: () => boolean;
  readonly send: (message: ToCore) => void;
}): PagePorts {
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
