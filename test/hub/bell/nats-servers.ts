/**
 * The nats-server of a box, as the system knows it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { HubProcess } from '../hub-process.ts';

/** Process ids of the nats-server of this box. */
export const serversOf = (box: Pick<HubProcess, 'folder'>): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
        return words[0]?.endsWith('nats-server') && words.some((word) => word.startsWith(box.folder));
      } catch {
        return false;
      }
    })
    .map(Number);
