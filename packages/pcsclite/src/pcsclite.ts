/**
 * The interface of `@pokusew/pcsclite` 0.6.0, as nfc-pcsc uses it, over `pcsc-mini` (Node-API, prebuilt).
 *
 * Invariants:
 * - Nothing blocks the event loop: a worker thread checks the service before it is opened, and a service that
 *   hangs only delays `started`.
 * - If the service is missing, stops or dies, every reader emits `end`, then the object emits `error`. After that
 *   the object cannot be used; a new one may be opened in the same process.
 * - Every reader has its own client, so that a card that does not answer delays no other reader.
 * - A `status` carries the whole status word and never waits for a card.
 *
 * Peculiarities of pcsc-mini 0.1.3:
 * - The ATR in its event is wrong (`25 00 00 ...`). The `atr` of a reader comes from its last connection.
 * - A client whose service died cannot be stopped, and its finalizer throws `InvalidHandle`. A caller that
 *   opens the service again must keep a reference to the old object.
 * - A failed disconnect, and a connection without a service, leave one of the client's four sessions
 *   occupied. Then the client is replaced.
 * - pcsc-mini holds no reference to a command's bytes while the command runs.
 * - pcsc-mini watches at most four readers.
 */
import { EventEmitter } from 'node:events';
import type { Card, Client, Err } from 'pcsc-mini/build/addon.node.js';
import addon from 'pcsc-mini/build/addon.node.js';

/** Called with null, or with an error whose `code` is pcsc-mini's name for it, such as `NoSmartCard`. */
type Done<T extends readonly unknown[]> = (error: Error | null, ...result: T) => void;

type ReaderEvents = { status: [{ readonly state: number }]; end: []; error: [Error] };

/** The flags of a status word. */
const flags = addon.ReaderStatus;

/** One reader, like `CardReader` of `@pokusew/pcsclite`, with only the constants that nfc-pcsc uses. */
export class CardReader extends EventEmitter<ReaderEvents> {
  readonly SCARD_STATE_EMPTY = flags.EMPTY;
  readonly SCARD_STATE_PRESENT = flags.PRESENT;
  readonly SCARD_SHARE_SHARED = addon.CardMode.SHARED;
  readonly SCARD_SHARE_DIRECT = addon.CardMode.DIRECT;
  readonly SCARD_LEAVE_CARD = addon.CardDisposition.LEAVE;
  readonly SCARD_RESET_CARD = addon.CardDisposition.RESET;
  readonly name: string;
  /** The status word that was emitted last. */
  state = 0;
  /** Answer to reset of the card that was connected last. */
  atr: Uint8Array = new Uint8Array();
  #client: Client = addon.newClient();
  #card: Card | null = null;
  /** Keeps a command's bytes while the native side reads them. */
  #underWay: Uint8Array | null = null;

  constructor(name: string) {
    super();
    this.name = name;
  }

  /** True from a connection until its end is requested. */
  get connected(): boolean {
    return this.#card !== null;
  }

  /** Connects to the card, or in direct mode to the reader itself. */
  connect({ share_mode: mode }: { readonly share_mode: number }, done: Done<[protocol?: number]>): void {
    answer(this.#connect(mode), done);
  }

  async #connect(mode: number): Promise<number> {
    if (this.#card !== null) return this.#card.protocol();
    const direct = mode === this.SCARD_SHARE_DIRECT;
    const card = await this.#client.connect(
      this.name,
      mode,
      direct ? addon.Protocol.UNSET : addon.Protocol.ANY,
    );
    this.#card = card;
    if (!direct) this.atr = (await card.state()).atr;
    return card.protocol();
  }

  /** Ends the connection. Even after a failure the next `connect` starts a new one. */
  disconnect(disposition: number, done: Done<[]>): void {
    answer(this.#disconnect(disposition), done);
  }

  async #disconnect(disposition: number): Promise<void> {
    const card = this.#card;
    this.#card = null;
    try {
      await card?.disconnect(disposition);
    } catch (error) {
      this.#client = addon.newClient();
      throw error;
    }
  }

  /** Sends a command to the card. */
  transmit(command: Uint8Array, maxAnswer: number, protocol: number, done: Done<[answer?: Buffer]>): void {
    answer(
      this.#send(command, (card) => card.transmit(protocol, command, new ArrayBuffer(maxAnswer))),
      done,
    );
  }

  /** Sends a command to the reader. */
  control(command: Uint8Array, code: number, maxAnswer: number, done: Done<[answer?: Buffer]>): void {
    answer(
      this.#send(command, (card) => card.control(code, command, new ArrayBuffer(maxAnswer))),
      done,
    );
  }

  async #send(command: Uint8Array, send: (card: Card) => Promise<Uint8Array>): Promise<Buffer> {
    if (this.#card === null) throw new Error('Card Reader not connected');
    this.#underWay = command;
    try {
      return Buffer.from(await send(this.#card));
    } finally {
      if (this.#underWay === command) this.#underWay = null;
    }
  }

  /** The code of a function for `control` on this system. */
  SCARD_CTL_CODE(functionCode: number): number {
    return addon.controlCode(functionCode);
  }
}

function answer<T>(result: Promise<T>, done: (error: Error | null, value?: T) => void): void {
  result.then(
    (value) => done(null, value),
    (error: Error) => done(error),
  );
}

/** The errors that mean that no service runs. Any other error is the answer of a running service. */
const serviceFaults: ReadonlySet<string> = new Set([
  ...[
    'NoService',
    'ServiceStopped',
    'CommError',
    'SecurityViolation',
    'NoAccess',
    'NoMemory',
    'InternalError',
  ],
]);

/**
 * Returns a check of the card service. The check resolves when the service answers, and rejects when there is none. At
 * most four checks may run at the same time.
 *
 * A check requests a connection to a reader without a name. The service refuses it before it looks for the reader, and
 * logs nothing.
 */
export function openServiceQuestion(): () => Promise<void> {
  const { SHARED } = addon.CardMode;
  let client = addon.newClient();
  return async () => {
    try {
      await client.connect('', SHARED, addon.Protocol.UNSET);
    } catch (error) {
      if (!serviceFaults.has((error as Err).code)) return;
      client = addon.newClient();
      throw error;
    }
  };
}

/** The card service of this machine and its readers, as `PCSCLite` of `@pokusew/pcsclite`. */
export class Pcsclite extends EventEmitter<{ reader: [CardReader]; error: [Error] }> {
  readonly readers: Record<string, CardReader> = {};
  /** Resolves when readers are watched, or after `close`; rejects with the error that is also emitted. */
  readonly started: Promise<void>;
  #watching: Client | null = null;
  #isOver = false;

  constructor() {
    super();
    this.started = openServiceQuestion()().then(() => {
      if (this.#isOver) return;
      this.#watching = addon.newClient();
      this.#watching.start(
        (name, state) => this.#show(name, state),
        (error) => this.#end(error),
      );
    });
    this.started.catch((error: Err) => this.#end(error));
  }

  /** Ends every reader and stops watching. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const name of Object.keys(this.readers)) this.#remove(name);
    try {
      this.#watching?.stop();
    } catch {
      // The service is gone, and took the watch with it.
    }
  }

  #show(name: string, state: number): void {
    if (this.#isOver) return;
    if ((state & (flags.UNKNOWN | flags.UNAVAILABLE)) !== 0) {
      this.#remove(name);
      return;
    }
    let reader = this.readers[name];
    if (reader === undefined) {
      reader = new CardReader(name);
      this.readers[name] = reader;
      this.emit('reader', reader);
    }
    reader.emit('status', { state });
    reader.state = state;
  }

  #remove(name: string): void {
    const reader = this.readers[name];
    delete this.readers[name];
    reader?.removeAllListeners('status');
    reader?.emit('end');
  }

  #end(error: Error): void {
    if (this.#isOver) return;
    this.close();
    this.emit('error', error);
  }
}

/** Opens the card service; the function that `require('@pokusew/pcsclite')` gives. */
export function openPcsclite(): Pcsclite {
  return new Pcsclite();
}

// nfc-pcsc is CommonJS and calls what it requires.
export { openPcsclite as 'module.exports' };
