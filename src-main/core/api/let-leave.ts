/**
 * Work beside a request: it must be on the wire before the work begins.
 *
 * Invariant: a request that was made before the call has left when it resolves, as far as the connection allows.
 */

/** The request just made goes out in the second turn of the event loop from here; work at once would hold it up. */
export const letLeave = async (): Promise<void> => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};
