/**
 * Whether the platform can be reached, according to the last call of the sender or the puller.
 *
 * Invariant: no answer, a server error, or an answer that does not come from the platform means offline. Every other
 * answer means online, including a refusal.
 */
import { ApiError } from './error-class.ts';

export type NetworkState = 'unknown' | 'online' | 'offline';

export type Connection = {
  readonly state: () => NetworkState;
  /** Records a successful call. */
  readonly succeeded: () => void;
  /** Records a call that failed with this error. */
  readonly failed: (error: unknown) => void;
  /** Share of about the latest hundred calls that were answered with 429, in [0, 1]. */
  readonly busyShare: () => number;
};

/** Weight of one call in the running share: about the latest hundred count. */
const WEIGHT = 0.02;

/** Connection state. `onChange` is called when it changes. */
export function createConnection(onChange: () => void): Connection {
  let state: NetworkState = 'unknown';
  let busyShare = 0;
  const count = (busy: boolean): void => {
    busyShare += WEIGHT * ((busy ? 1 : 0) - busyShare);
  };
  const become = (next: NetworkState): void => {
    if (state === next) return;
    state = next;
    onChange();
  };
  return {
    state: () => state,
    succeeded: () => {
      count(false);
      become('online');
    },
    failed: (error) => {
      if (!(error instanceof ApiError)) return;
      count(error.errorClass.kind === 'busy');
      become(isBelowThePlatform(error) ? 'offline' : 'online');
    },
    busyShare: () => busyShare,
  };
}

function isBelowThePlatform({ errorClass }: ApiError): boolean {
  return (
    errorClass.kind === 'retry' ||
    (errorClass.kind === 'stop' &&
      ['tls', 'wrongHub', 'addressUnknown', 'notAPlatform'].includes(errorClass.pause))
  );
}
