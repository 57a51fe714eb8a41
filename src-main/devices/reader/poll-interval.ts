/**
 * How often a reader looks for a badge: its polling interval. Waiting for the next poll is most of the time between
 * placing a badge and receiving its UID, so the app reads the interval and sets the shortest one.
 *
 * Sources:
 * - "Set/Read Automatic PICC Polling", escape command `E0 00 00 23`; bits 5 and 4 are the interval: 250, 500, 1,000
 *   or 2,500 ms, 250 being both the shortest and the default. ACS ACR1255U-J1 Reference Manual 1.01, 6.6.8 and 6.6.9;
 *   ACR1281U-C1 API 1.08, 5.3.10 and 5.3.11; ACM1252U-Y3 (the module of the ACR1252U) Reference Manual 1.03, 5.3.9;
 *   ACR1283L Reference Manual 1.00, 5.4.5.
 * - "Get/Set the PICC Operating Parameter", `FF 00 50` and `FF 00 51`; bit 5 is the interval: 250 ms if set (the
 *   default), else 500 ms. ACR122U API 2.04, 6.4 and 6.5.
 *
 * Invariants:
 * - Other readers get no such command.
 * - A reader stores the setting in its own memory, so it is written only if it is not yet the shortest.
 */

import { isAcr122u } from './feedback.ts';

type PollSetting = {
  readonly everyMs: number;
  /** The command that sets the shortest interval and keeps the other settings. Null if the interval is the shortest. */
  readonly shorten: Uint8Array | null;
};

export type PollCommands = {
  /** The command that reads the setting. */
  readonly read: Uint8Array;
  /** The setting in its answer. Null for any other answer. */
  readonly settingOf: (answer: Uint8Array) => PollSetting | null;
};

/** The commands of the reader with this name. Null if none are known for it. */
export function pollCommandsOf(reader: string): PollCommands | null {
  if (/AC[RM]12(52|55|81|83)/i.test(reader)) return automaticPolling;
  return isAcr122u(reader) ? operatingParameter : null;
}

const intervalsMs = [250, 500, 1000, 2500] as const;

const automaticPolling: PollCommands = {
  read: Uint8Array.of(0xe0, 0x00, 0x00, 0x23, 0x00),
  settingOf: (answer) => {
    const [head, , , , length, setting] = answer;
    if (answer.length !== 6 || head !== 0xe1 || length !== 1 || setting === undefined) return null;
    const shortest = setting & ~0x30;
    return {
      everyMs: intervalsMs[(setting & 0x30) >> 4] ?? 250,
      shorten: setting === shortest ? null : Uint8Array.of(0xe0, 0x00, 0x00, 0x23, 0x01, shortest),
    };
  },
};

const operatingParameter: PollCommands = {
  read: Uint8Array.of(0xff, 0x00, 0x50, 0x00, 0x00),
  settingOf: (answer) => {
    const [head, setting] = answer;
    if (answer.length !== 2 || head !== 0x90 || setting === undefined) return null;
    const isShortest = (setting & 0x20) !== 0;
    return {
      everyMs: isShortest ? 250 : 500,
      shorten: isShortest ? null : Uint8Array.of(0xff, 0x00, 0x51, setting | 0x20, 0x00),
    };
  },
};
