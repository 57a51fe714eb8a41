/**
 * A reason not to start, in one sentence a technician understands.
 *
 * Invariant: whoever throws it has changed nothing on disk that was there before.
 */

/** Thrown while starting; the shell prints `message` as it stands and ends with exit code 2. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal';
}
