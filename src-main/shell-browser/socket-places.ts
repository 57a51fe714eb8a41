/**
 * How many sockets may be open, and who goes when there are too many.
 *
 * Invariants: at most 32 sockets of clients that proved nothing are open, and the oldest of them makes room for the next
 * one, so idle sockets never keep anybody out; a client that proved itself keeps its place (at most 64 do), whoever
 * else presses in.
 */
import type { Duplex } from 'node:stream';

export type SocketPlaces = {
  /** A socket was opened. */
  readonly enter: (socket: Duplex) => void;
  /** Its client proved itself. */
  readonly keep: (socket: Duplex) => void;
  /** Cuts all that are open. */
  readonly cutAll: () => void;
};

const maxUnproved = 32;
const maxKept = 64;

/** No socket is open. */
export function createSocketPlaces(): SocketPlaces {
  /** In the order in which they came. */
  const unproved = new Set<Duplex>();
  const kept = new Set<Duplex>();
  return {
    enter: (socket) => {
      const [oldest] = unproved;
      if (unproved.size >= maxUnproved && oldest !== undefined) {
        unproved.delete(oldest);
        oldest.destroy();
      }
      unproved.add(socket);
      socket.once('close', () => {
        unproved.delete(socket);
        kept.delete(socket);
      });
    },
    keep: (socket) => {
      if (kept.size < maxKept && unproved.delete(socket)) kept.add(socket);
    },
    cutAll: () => {
      for (const socket of [...unproved, ...kept]) socket.destroy();
    },
  };
}
