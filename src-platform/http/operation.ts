/**
 * One operation of the interface: its name, its input and output, and its handler.
 *
 * The same value is mounted on the server, described in the OpenAPI document and exercised by the fuzz test, so the
 * three always agree.
 */
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Caller } from '../keys/caller.ts';
import type { Expo } from '../store/expo.ts';
import type { JsonText } from './json.ts';
import type { Piece } from './piece.ts';

/** The right that a key needs for an operation (docs/interface/authentication.md#rights). */
export type Right = 'read' | 'write' | 'webhooks' | 'connections';

/** A named schema of the description. */
export type Shown = {
  readonly name: string;
  readonly schema: z.ZodType;
  /** Whether the answer is a list of them. */
  readonly many: boolean;
  /** Whether these fields are published (docs/interface/resources.md). */
  readonly documented: boolean;
};

export type Query = Readonly<Record<string, unknown>>;

export type Call = {
  readonly caller: Caller;
  /** Requested with HEAD: the client does not receive the body, so nothing in it counts as read. */
  readonly head: boolean;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: unknown;
  /** The request headers `Range` and `If-Range`. */
  readonly range?: string | undefined;
  readonly ifRange?: string | undefined;
  /** The request header `Last-Event-ID`. */
  readonly lastEventId?: string | undefined;
};

/** A call of an operation on an event. The event exists and is within the key's scope. */
export type ExpoCall = Call & { readonly expo: Expo };

/**
 * The answer's body: JSON text that is sent unchanged, bytes, a value to write as JSON, or null for an empty
 * confirmation.
 */
export type Answer = JsonText | Piece | object | string | null;

export type Operation = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the base address, with `{name}` for parameters. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * Whether this operation is published (docs/interface/endpoints.md#operations); false becomes `x-documented:
   * false`.
   */
  readonly documented: boolean;
  readonly right: Right;
  /**
   * Whether the key of a single exhibiting company may use it: for its own records, or for the whole event
   * (docs/decisions/key-of-one-company.md); missing: refused.
   */
  readonly ofCompany?: 'own' | 'event';
  /** Also allowed with the enrolment key from a device's file, which is valid for nothing else. */
  readonly enrols?: true;
  readonly query?: z.ZodObject;
  /** Uses no slot of its key, so that a device's report never delays a fact. */
  readonly slotless?: true;
  /** Query parameters that are not published (docs/interface/undocumented.md). */
  readonly undocumentedQuery?: readonly string[];
  /** The JSON body, validated before `handle` is called. */
  readonly body?: z.ZodType;
  /** The body in the description: its writable fields, or the items that are validated one by one. */
  readonly bodyShape?: z.ZodType;
  /** A body that the demo event accepts unchanged. */
  readonly example?: unknown;
  /** The body is a stream of bytes, available in `Call.body` as it arrives. */
  readonly bytes?: boolean;
  /** The schema of the 200 body, or null for an empty one. */
  readonly answer: z.ZodType | null;
  /** The record in the answer, for the description; without it the answer is described inline. */
  readonly shows?: Shown;
  /** Whether the path can contain the id of an unknown record, so that 404 is a possible answer. */
  readonly mayMiss?: boolean;
} & (
  | { readonly onExpo: true; readonly handle: (call: ExpoCall) => Promise<Answer> }
  | { readonly onExpo: false; readonly handle: (call: Call) => Promise<Answer> }
);

export type ByteBody = Readable;
