/** The stored form of a key: its SHA-256, from which the key cannot be recovered. */
import { createHash } from 'node:crypto';

/** The stored form of a key. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
