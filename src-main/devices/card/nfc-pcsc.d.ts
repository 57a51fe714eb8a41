/**
 * The types of nfc-pcsc 0.8.1 that are used here, because the package has none. Derived from its source. The native
 * reader below it is ours (`packages/pcsclite`).
 */
declare module 'nfc-pcsc' {
  import type { EventEmitter } from 'node:events';
  import type { CardReader, Pcsclite } from '@pokusew/pcsclite';

  export class Reader extends EventEmitter {
    readonly name: string;
    readonly reader: CardReader;
    autoProcessing: boolean;
    connection: { readonly type: number; readonly protocol: number } | null;
    card: object | null;
    /** Rejects with an error whose `previous` is the native error. */
    connect(mode?: 'CONNECT_MODE_CARD' | 'CONNECT_MODE_DIRECT'): Promise<unknown>;
    /** Throws synchronously when `card` or `connection` is missing. */
    transmit(data: Buffer, maxResponseBytes: number): Promise<Buffer>;
  }

  export class NFC extends EventEmitter {
    constructor();
    readonly pcsc: Pcsclite;
    close(): void;
  }
}
