/**
 * One operation of the interface: what it is called, what it takes and answers, and the function that does it.
 *
 * The same value is mounted on the server, described in the OpenAPI document and walked by the fuzz test, so the
 * three cannot disagree.
 */
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Caller } from '../keys/caller.ts';
import type { Expo } from '../store/expo.ts';
import type { JsonText } from './json.ts';
import type { Piece } from './piece.ts';

/** What a key needs for an operation (docs/interface/authentication.md#rights). */
export type Right = 'read' | 'write' | 'webhooks' | 'connections';

/** A named schema of the description. */
export type Shown = {
  readonly name: string;
  readonly schema: z.ZodType;
  /** The answer is a list of them. */
  readonly many: boolean;
  /** Whether these fields are published (docs/interface/resources.md). */
  readonly documented: boolean;
};

export type Query = Readonly<Record<string, unknown>>;

export type Call = {
  readonly caller: Caller;
  /** Asked with HEAD: the answer's body does not reach the client, so nothing of it counts as read. */
  readonly head: boolean;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: unknown;
  /** The headers `Range` and `If-Range`. */
  readonly range?: string | undefined;
  readonly ifRange?: string | undefined;
};

/** A call on an event path; the event is known to exist and to be within the key's scope. */
export type ExpoCall = Call & { readonly expo: Expo };

/** The answer's body: JSON text as it stands, bytes, a value to write as JSON, or null for an empty confirmation. */
export type Answer = JsonText | Piece | object | string | null;

export type Operation = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base address, with `{name}` for parameters. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * Whether this operation is published (docs/interface/endpoints.md#operations); false becomes
   * `x-documented: false`.
   */
  readonly documented: boolean;
  readonly right: Right;
  /**
   * Open to the key of a single exhibiting company: for what is its own, or for the whole event
   * (docs/decisions/key-of-one-company.md); missing: refused.
   */
  readonly ofCompany?: 'own' | 'event';
  /** Open to the key that came with a device's file, which is good for nothing else. */
  readonly enrols?: true;
  readonly query?: z.ZodObject;
  /** Takes no slot of its key: what a device says of itself never makes a fact wait. */
  readonly slotless?: true;
  /** Query parameters that are not published (docs/interface/undocumented.md). */
  readonly undocumentedQuery?: readonly string[];
  /** The JSON body, checked before `handle` is called. */
  readonly body?: z.ZodType;
  /** What the description shows of the body: its writable fields, or the items that are checked one by one. */
  readonly bodyShape?: z.ZodType;
  /** A body that the demo event accepts as it stands. */
  readonly example?: unknown;
  /** The body is a stream of bytes, handed over as it arrives in `Call.body`. */
  readonly bytes?: boolean;
  /** The schema of the 200 body, or null for an empty one. */
  readonly answer: z.ZodType | null;
  /** The record that is answered, for the description; without it the answer is described in place. */
  readonly shows?: Shown;
  /** Whether unknown records can be asked for, so that 404 is a possible answer. */
  readonly mayMiss?: boolean;
} & (
  | { readonly onExpo: true; readonly handle: (call: ExpoCall) => Promise<Answer> }
  | { readonly onExpo: false; readonly handle: (call: Call) => Promise<Answer> }
);

export type ByteBody = Readable;
