/**
 * Light and buzzer of ACS readers, by pseudo-APDU. Best effort: nothing depends on it.
 *
 * Source: ACR122U API 2.04, 6.2 (bi-colour LED and buzzer control) and 6.7 (buzzer output for card detection). Other
 * models get no such command, because it may mean something else to them. The ACR1252U is not an ACR122U. Its API has
 * only escape commands (`E0 00 00 28` buzzer, `E0 00 00 29` LED; API ACR1252U 1.09, 5.8). nfc-pcsc claims the
 * contrary without a source (pokusew/nfc-pcsc#111).
 */
import type { ReaderFeedback } from '../../core/foundations/ports.ts';

/** Whether the reader is an ACR122U. Windows often names it `ACS ACR122 0`. */
export function isAcr122u(reader: string): boolean {
  return /ACR122U?\b/i.test(reader);
}

/**
 * Disables the reader's beep on card detection, which would signal success before the commit. The setting lasts until
 * the reader is unplugged.
 */
export function silenceAutoBeep(): Uint8Array {
  return Uint8Array.of(0xff, 0x00, 0x52, 0x00, 0x00);
}

/** Captured: green once with a short beep. Refused: red twice with two beeps. Times in units of 100 ms. */
export function feedbackCommand(what: ReaderFeedback): Uint8Array {
  return what === 'captured'
    ? Uint8Array.of(0xff, 0x00, 0x40, 0b1010_1000, 0x04, 0x01, 0x01, 0x01, 0x01)
    : Uint8Array.of(0xff, 0x00, 0x40, 0b0101_0100, 0x04, 0x01, 0x01, 0x02, 0x01);
}
