/**
 * Plain text of messages, for labels, announcements and speech.
 *
 * Invariant: if a sentence ends with a value that has a full stop (an initial, `Inc.`), it gets one full stop, not
 * two.
 */
import type { IntlShape } from 'react-intl';
import type { MessageId } from './catalogue.ts';

export type TextValues = Readonly<Record<string, string | number | boolean>>;

/** Plain text of a message in the language of `intl`. */
export function plainText(intl: IntlShape, id: MessageId, values: TextValues = {}): string {
  return intl.formatMessage({ id }, withOneFullStop(intl, id, values));
}

/** Removes the final full stop from a value if the message adds its own. */
export function withOneFullStop(intl: IntlShape, id: MessageId, values: TextValues): TextValues {
  if (!Object.values(values).some(endsWithStop)) return values;
  const text = intl.formatMessage({ id }, values);
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      endsWithStop(value) && text.includes(`${value}.`) ? value.slice(0, -1) : value,
    ]),
  );
}

function endsWithStop(value: unknown): value is string {
  return typeof value === 'string' && value.endsWith('.');
}
