/**
 * Whether the platform can be reached, as the two loops last found out.
 *
 * Invariant: an answer of any kind from the platform means online; only a fault below it means offline.
 */
import { ApiError } from '../api/verdict.ts';

export type NetworkState = 'unknown' | 'online' | 'offline';

export type Connection = {
  readonly state: () => NetworkState;
  /** A call went through. */
  readonly succeeded: () => void;
  /** A call failed with this error. */
  readonly failed: (error: unknown) => void;
};

/** Connection state; `onChange` is called when it turns. */
export const createConnection = (onChange: () => void): Connection => {
  let state: NetworkState = 'unknown';
  const become = (next: NetworkState): void => {
    if (state === next) return;
    state = next;
    onChange();
  };
  return {
    state: () => state,
    succeeded: () => become('online'),
    failed: (error) => {
      if (error instanceof ApiError) become(isBelowThePlatform(error) ? 'offline' : 'online');
    },
  };
};

const isBelowThePlatform = ({ verdict }: ApiError): boolean =>
  verdict.kind === 'retry' ||
  (verdict.kind === 'stop' && ['tls', 'addressUnknown', 'notAPlatform'].includes(verdict.pause));
