/**
 * The key of the fleet page, which an organiser types.
 *
 * Invariant: case, spaces and dashes are ignored, and only the SHA-256 is stored.
 */
import type { Kysely } from 'kysely';
import { readHubSetting } from '../store/hub-setting.ts';
import type { Tables } from '../store/schema.ts';
import { hashKey } from './hash.ts';

/** Name of the setting that holds the hash of the key. */
export const FLEET_KEY = 'fleetKey';

/** The hash of a key as the organiser typed it. */
export function hashFleetKey(typed: string): string {
  return hashKey(typed.toUpperCase().replaceAll(/[\s-]/g, ''));
}

/** Whether this is the key of the fleet page. */
export async function isFleetKey(db: Kysely<Tables>, typed: string): Promise<boolean> {
  return (await readHubSetting(db, FLEET_KEY)) === hashFleetKey(typed);
}
