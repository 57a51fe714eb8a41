/**
 * Comparison of badge codes.
 *
 * The serial number of a chip (4 to 10 bytes) is written in many ways; it is compared in upper-case hex without
 * separators. Every other code is compared exactly.
 */
export function normaliseCode(code: string): string {
  return /^[0-9a-f]{2}(?:[:\- ]?[0-9a-f]{2}){3,9}$/i.test(code)
    ? code.replace(/[:\- ]/g, '').toUpperCase()
    : code;
}
