/** A reason not to start, as one sentence for a technician. */

/** `missing`: the journal is gone and its backups are there. `altered`: the app itself is not as it was packed. `damaged` is the only reason for which a file that can be fetched again may be thrown away. */
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

/** Thrown while starting; the shell prints `message` as it stands and ends with exit code 2. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal';
  readonly reason: RefusalReason;
  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
