/**
 * The part of nfc-pcsc 0.8.1 that is used here; it brings no types. Read from its source. The native reader below it is
 * ours (`packages/pcsclite`).
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
    /** Rejects with an error whose `previous` holds the native one. */
    connect(mode?: 'CONNECT_MODE_CARD' | 'CONNECT_MODE_DIRECT'): Promise<unknown>;
    /** Throws at once when `card` or `connection` is missing. */
    transmit(data: Buffer, maxResponseBytes: number): Promise<Buffer>;
  }

  export class NFC extends EventEmitter {
    constructor();
    readonly pcsc: Pcsclite;
    close(): void;
  }
}
