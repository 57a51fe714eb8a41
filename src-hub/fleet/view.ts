/**
 * Which devices of the fleet the page shows, and the URL of that view. Pure.
 */
import { type FleetPicture, NEEDS, type Need, needsOf } from './judgement.ts';
import type { FleetDevice } from './reading.ts';

/** The selection of devices. `page` counts from 1. */
export type FleetView = { readonly find: string; readonly need: Need | null; readonly page: number };

/** Number of devices on one page. */
export const PER_PAGE = 50;

/** The URL of a view. */
export function addressOf({ find, need, page }: FleetView): string {
  const query = new URLSearchParams();
  if (find !== '') query.set('find', find);
  if (need !== null) query.set('need', need);
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? '/fleet' : `/fleet?${query.toString()}`;
}

/** The devices that match a view, on all its pages; those with the most severe trouble first. */
export function found({ devices, now }: FleetPicture, { find, need }: FleetView): readonly FleetDevice[] {
  const sought = find.trim().toLowerCase();
  const bySeverity: readonly FleetDevice[][] = Array.from({ length: NEEDS.length + 1 }, () => []);
  for (const device of devices) {
    const { id, name, touchpoint, partner } = device;
    const text = [id, name, touchpoint, partner ?? '', device.report?.device ?? ''].join('\n').toLowerCase();
    const [worst, ...others] = needsOf(device, now);
    if (!text.includes(sought) || (need !== null && worst !== need && !others.includes(need))) continue;
    bySeverity[worst === undefined ? NEEDS.length : NEEDS.indexOf(worst)]?.push(device);
  }
  return bySeverity.flat();
}
