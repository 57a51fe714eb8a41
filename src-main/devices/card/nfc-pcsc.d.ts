/**
 * The part of nfc-pcsc 0.8.1 and of the native reader below it (@pokusew/pcsclite 0.6.0) that is used here; neither
 * brings types. Read from their sources.
 */
declare module 'nfc-pcsc' {
  import type { EventEmitter } from 'node:events';

  /** The native reader. Its `status` events carry the raw state word of SCardGetStatusChange. */
  export interface RawReader extends EventEmitter {
    readonly name: string;
    connected: boolean;
    disconnect(disposition: number, done: (error: Error | null | undefined) => void): void;
    SCARD_CTL_CODE(code: number): number;
    control(
      data: Buffer,
      code: number,
      maxResponseBytes: number,
      done: (error: Error | null | undefined, answer?: Buffer) => void,
    ): void;
    readonly SCARD_LEAVE_CARD: number;
    readonly SCARD_RESET_CARD: number;
  }

  export class Reader extends EventEmitter {
    readonly name: string;
    readonly reader: RawReader;
    autoProcessing: boolean;
    connection: { readonly type: number; readonly protocol: number } | null;
    card: object | null;
    /** Rejects with an error whose `previous` holds the native one. */
    connect(mode?: 'CONNECT_MODE_CARD' | 'CONNECT_MODE_DIRECT'): Promise<unknown>;
    /** Throws at once when `card` or `connection` is missing. */
    transmit(data: Buffer, maxResponseBytes: number): Promise<Buffer>;
  }

  export class NFC extends EventEmitter {
    /** Spins for ever on this thread while there is no card service: probe first. */
    constructor();
  }
}
