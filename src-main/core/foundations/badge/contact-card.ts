/**
 * Reads only the badge id of a vCard or MECARD. Pure; never throws.
 *
 * Invariant: names, e-mail addresses and telephone numbers are skipped, never returned. A badge's contact data stays on
 * the badge.
 */

/** Property names that hold a badge's id, most specific first; `UID` is RFC 6350, 6.7.6. */
const idProperties: readonly string[] = ['X-BADGE-ID', 'X-BADGEID', 'X-BADGE', 'X-ID', 'UID'];

/** Whether the text is a contact card in one of the two forms found on badges. */
export function isContactCard(text: string): boolean {
  return /^\s*(?:BEGIN:VCARD|MECARD:)/i.test(text);
}

/** The badge id of a contact card, or null when it has none. */
export function idOfContactCard(text: string): string | null {
  const properties = /^\s*MECARD:/i.test(text) ? mecardProperties(text) : vcardProperties(text);
  for (const name of idProperties) {
    const value = properties.find(([key]) => key === name)?.[1];
    if (value !== undefined && value !== '') return value;
  }
  return null;
}

type Property = readonly [name: string, value: string];

/**
 * RFC 6350, 3.2 and 3.3: lines end in CRLF (LF alone occurs too). A line that begins with a space or a tab continues
 * the previous one. Name and parameters end at the first colon. A group before the name ends in a dot.
 */
function vcardProperties(text: string): readonly Property[] {
  return text
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(':');
      if (colon < 1) return [];
      const name = line.slice(0, colon).split(';')[0]?.split('.').at(-1)?.trim().toUpperCase() ?? '';
      return [[name, unescaped(line.slice(colon + 1)).replace(/^urn:uuid:/i, '')] as const];
    });
}

/** MECARD (NTT DOCOMO): `MECARD:` then `NAME:value;` fields; `\` escapes. */
function mecardProperties(text: string): readonly Property[] {
  return (text.replace(/^\s*MECARD:/i, '').match(/(?:\\.|[^;\\])+/gs) ?? []).flatMap((field) => {
    const colon = field.indexOf(':');
    return colon < 1
      ? []
      : [[field.slice(0, colon).trim().toUpperCase(), unescaped(field.slice(colon + 1))] as const];
  });
}

/** RFC 6350, 3.4 and MECARD: a backslash escapes the next character. */
function unescaped(value: string): string {
  return value.replaceAll(/\\(.)/gs, '$1').trim();
}
