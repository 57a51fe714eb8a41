/**
 * The polling interval of a reader, which is most of the time from badge to UID. It is read and set to the shortest.
 *
 * Sources ("Set/Read Automatic PICC Polling", escape command `E0 00 00 23`; bits 5 and 4 are the interval: 250, 500,
 * 1,000 or 2,500 ms, 250 being both the shortest and the default): ACS ACR1255U-J1 Reference Manual 1.01, 6.6.8 and
 * 6.6.9; ACR1281U-C1 API 1.08, 5.3.10 and 5.3.11; ACM1252U-Y3 (the module of the ACR1252U) Reference Manual 1.03,
 * 5.3.9; ACR1283L Reference Manual 1.00, 5.4.5. Other readers do not get this command.
 *
 * Invariant: the reader stores the setting in its own memory, so it is written only where it is not the shortest.
 */

/** Whether the reader supports the command. */
export function hasPollInterval(reader: string): boolean {
  return /AC[RM]12(52|55|81|83)/i.test(reader);
}

/** The command that reads the setting. */
export function readPollSetting(): Uint8Array {
  return Uint8Array.of(0xe0, 0x00, 0x00, 0x23, 0x00);
}

const intervalBits = 0x30;
const intervalsMs = [250, 500, 1000, 2500] as const;

/** The interval in an answer, and the command that sets the shortest (null: already set). Null for any other answer. */
export function pollSettingOf(
  answer: Uint8Array,
): { readonly everyMs: number; readonly shorten: Uint8Array | null } | null {
  const [head, , , , length, setting] = answer;
  if (answer.length !== 6 || head !== 0xe1 || length !== 1 || setting === undefined) return null;
  const everyMs = intervalsMs[(setting & intervalBits) >> 4] ?? 250;
  const shortest = setting & ~intervalBits;
  const shorten = setting === shortest ? null : Uint8Array.of(0xe0, 0x00, 0x00, 0x23, 0x01, shortest);
  return { everyMs, shorten };
}
