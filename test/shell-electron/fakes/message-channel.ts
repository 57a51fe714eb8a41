/** Electron's `MessageChannelMain` on top of Node's: events carry `data`, and none is emitted before `start`. */
import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';

export class FakePort extends EventEmitter {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.once('close', () => this.emit('close'));
  }

  postMessage(message: unknown) {
    this.#port.postMessage(message);
  }

  start() {
    this.#port.on('message', (data) => this.emit('message', { data, ports: [] }));
  }

  close() {
    this.#port.close();
  }
}

export class FakeChannel {
  readonly port1: FakePort;
  readonly port2: FakePort;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.port1 = new FakePort(port1);
    this.port2 = new FakePort(port2);
  }
}
