/**
 * A row of CSV by RFC 4180. Fields that match `quotedIf` are quoted. `quotedIf` must match at least the separator,
 * quotes and line breaks.
 */
export function csvRow(texts: readonly string[], separator: string, quotedIf: RegExp): string {
  const quoted = (text: string): string => (quotedIf.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `${texts.map(quoted).join(separator)}\r\n`;
}
