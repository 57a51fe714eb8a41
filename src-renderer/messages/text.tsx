/**
 * How components get their texts: typed ids, and names set apart so that their direction cannot spill over.
 *
 * Invariant: texts of visitors and partners go in as values, never as messages or HTML.
 */
import { type ReactNode, useCallback } from 'react';
import { IntlProvider, useIntl } from 'react-intl';
import type { Language, MessageId } from './catalogue.ts';

export type TextValues = Readonly<Record<string, string | number | boolean>>;

/** Plain text of a message, for labels and announcements. */
export function useText(): (id: MessageId, values?: TextValues) => string {
  const intl = useIntl();
  return useCallback((id, values) => intl.formatMessage({ id }, values), [intl]);
}

/** A message in the page; string values stand in their own reading direction. */
export function Text({
  id,
  values = {},
}: {
  readonly id: MessageId;
  readonly values?: TextValues;
}): ReactNode {
  const intl = useIntl();
  const isolated = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === 'string' && !selectors.has(key) ? <bdi key={key}>{value}</bdi> : value,
    ]),
  );
  return intl.formatMessage({ id }, isolated);
}

/** Values that choose a wording and are never seen. */
const selectors: ReadonlySet<string> = new Set(['purpose', 'named', 'resource', 'kind', 'reason']);

/** Everything below speaks `language`; it keeps its state when the language turns. */
export function LanguageProvider({
  language,
  children,
}: {
  readonly language: Language;
  readonly children: ReactNode;
}) {
  return (
    <IntlProvider locale={language.tag} messages={language.messages} defaultLocale="en">
      {children}
    </IntlProvider>
  );
}
