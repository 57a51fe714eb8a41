/** A reason not to start, as a text for a technician. */

/**
 * `missing`: the journal is gone and its backups exist. `altered`: the app differs from its package.
 * `damaged`: the only reason for which a file that can be fetched again may be deleted.
 */
type RefusalReason =
  | 'damaged'
  | 'newer'
  | 'unwritable'
  | 'full'
  | 'unsafe'
  | 'otherEvent'
  | 'missing'
  | 'altered'
  | 'options';

/** Thrown during a start. The main process prints `message` unchanged and exits with code 2. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal';
  readonly reason: RefusalReason;
  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
