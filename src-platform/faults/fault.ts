/**
 * The faults that can be injected: one value per fault, as it is posted to the console.
 *
 * Invariant: a fault is complete and deterministic: the same list of faults has the same effect on the same requests.
 */
import { z } from 'zod';

const milliseconds = z.int().min(0).max(600_000);

const kinds = z.discriminatedUnion('kind', [
  /** The documented error body with this status, before any work is done. */
  z.object({
    kind: z.literal('status'),
    status: z.union([z.literal(429), z.literal(500), z.literal(502), z.literal(503), z.literal(504)]),
    /** Seconds for a `Retry-After` header. */
    retryAfter: z.int().min(0).max(86_400).optional(),
  }),
  /** Waits, then continues as usual. */
  z.object({ kind: z.literal('hang'), ms: milliseconds }),
  /**
   * Closes the connection: `before` any work, after the work but before any answer (`afterCommit`), or in the middle of
   * the body (`midBody`).
   */
  z.object({ kind: z.literal('cut'), when: z.enum(['before', 'afterCommit', 'midBody']) }),
  /** Ends the process after the work and before any answer, as a power cut does. */
  z.object({ kind: z.literal('die') }),
  /** Sends the body at this many bytes a second. */
  z.object({ kind: z.literal('slow'), bytesPerSecond: z.int().min(1).max(1_000_000) }),
  /** Like a captive portal: 200 with an HTML page, before any work is done. */
  z.object({ kind: z.literal('html') }),
  /** Answers with this status and JSON before any work is done, for example `200 []`, or a 400 to everything. */
  z.object({ kind: z.literal('answer'), status: z.int().min(200).max(599), body: z.json() }),
  /** `POST /actions` treats every item as new, even a repeated one, and no action shows its `clientID`. */
  z.object({ kind: z.literal('forgetIds') }),
  /** Returns the list in reverse order. */
  z.object({ kind: z.literal('reorder') }),
  /** Sends only the first half of the JSON text, as if it were the complete answer. */
  z.object({ kind: z.literal('truncate') }),
  /** Sends a `Date` header that is off by this many milliseconds. */
  z.object({ kind: z.literal('date'), offsetMs: z.int().min(-3e12).max(3e12) }),
  /** Records with these ids are missing from the list, as if not yet committed. */
  z.object({ kind: z.literal('late'), ids: z.array(z.string()).min(1).max(1000) }),
  /** Groups of this many records share a revision, in lists and for `fromRevision`. */
  z.object({ kind: z.literal('ties'), width: z.int().min(2).max(1000) }),
]);

const common = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).optional(),
  /** A path below the base address; a final `*` matches any rest. */
  path: z
    .string()
    .regex(/^(\*|\/[^?#*]*\*?)$/, 'must be a path below the base address, with or without * at its end')
    .default('*'),
  /** Number of requests that get the fault. Without it, all requests until the faults are cleared. */
  count: z.int().min(1).max(1_000_000).optional(),
});

export const faultSchema = z.intersection(common, kinds);

export type Fault = z.infer<typeof faultSchema>;
export type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { readonly kind: Kind }>;

/** Whether a fault applies to this request. */
export function matches(fault: Fault, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method !== method) return false;
  if (!fault.path.endsWith('*')) return fault.path === path;
  return path.startsWith(fault.path.slice(0, -1));
}

/** The faults waiting for requests, in the order given. */
export type FaultList = {
  readonly add: (fault: Fault) => void;
  readonly clear: () => void;
  readonly all: () => readonly Fault[];
  /** The faults of this request. The remaining count of each drops by one. */
  readonly take: (method: string, path: string) => readonly Fault[];
};

/** An empty list. */
export function createFaultList(): FaultList {
  let waiting: Fault[] = [];
  return {
    add: (fault) => void waiting.push(fault),
    clear: () => {
      waiting = [];
    },
    all: () => waiting,
    take: (method, path) => {
      const taken: Fault[] = [];
      waiting = waiting.flatMap((fault) => {
        // At most one fault of each kind is injected at a time, so that two faults "429 once" affect two requests.
        if (!matches(fault, method, path) || taken.some(({ kind }) => kind === fault.kind)) return [fault];
        taken.push(fault);
        if (fault.count === undefined) return [fault];
        return fault.count > 1 ? [{ ...fault, count: fault.count - 1 }] : [];
      });
      return taken;
    },
  };
}
