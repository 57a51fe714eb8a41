/**
 * How a key is stored: as its SHA-256, from which it cannot be shown again.
 */
import { createHash } from 'node:crypto';

/** The stored form of a key. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
