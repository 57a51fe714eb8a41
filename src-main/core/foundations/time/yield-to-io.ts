/**
 * Work beside a request: it must be on the wire before the work begins.
 *
 * Invariants: the request has left when the call resolves, as far as the connection allows; a fault of it meanwhile is for
 * whoever awaits it later.
 */

/** The request just made goes out in the second turn of the event loop from here; work at once would hold it up. */
export async function yieldToIo(request: Promise<unknown>): Promise<void> {
  request.catch(() => undefined);
  for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
