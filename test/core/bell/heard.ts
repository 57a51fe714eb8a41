/**
 * What an ear was told, in order: names of lists, and a word for everything else.
 */
import type { BellPorts } from '../../../src-main/core/bell/bell.ts';

/** Notes into `heard` what a bell brings. */
export const noteInto = (
  heard: string[],
): Pick<BellPorts, 'onChanged' | 'onDoubt' | 'onAsked' | 'onTeam'> => ({
  onChanged: (list) => heard.push(list),
  onDoubt: () => heard.push('doubt'),
  onAsked: () => heard.push('asked'),
  onTeam: () => heard.push('team'),
});
