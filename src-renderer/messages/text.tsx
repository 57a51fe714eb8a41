/**
 * How components get their texts: typed ids, and names set apart so that their direction cannot spill over.
 *
 * Invariants: texts of visitors and partners go in as values, never as messages or HTML; a message that lacks a value is a
 * defect and reported as one, never only shown with its braces.
 */
import { type ReactNode, useCallback } from 'react';
import { IntlProvider, useIntl } from 'react-intl';
import type { Language, MessageId } from './catalogue.ts';
import { HourCycleContext } from './clock.ts';
import type { HourCycle } from './hour-cycle.ts';
import { plainText, type TextValues, withOneFullStop } from './plain-text.ts';

/** Plain text of a message, for labels and announcements. */
export function useText(): (id: MessageId, values?: TextValues) => string {
  const intl = useIntl();
  return useCallback((id, values) => plainText(intl, id, values), [intl]);
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
    Object.entries(withOneFullStop(intl, id, values)).map(([key, value]) => [
      key,
      typeof value === 'string' && !selectors.has(key) ? <bdi key={key}>{value}</bdi> : value,
    ]),
  );
  return intl.formatMessage({ id }, isolated);
}

/** Values that choose a wording and are never seen. */
const selectors: ReadonlySet<string> = new Set([
  ...['purpose', 'named', 'resource', 'kind', 'reason', 'only', 'notice', 'withLink', 'since'],
]);

/** Everything below speaks `language` and counts its hours so; it keeps its state when the language turns. */
export function LanguageProvider({
  language,
  hourCycle,
  children,
}: {
  readonly language: Language;
  readonly hourCycle: HourCycle;
  readonly children: ReactNode;
}) {
  return (
    <IntlProvider locale={language.tag} messages={language.messages} defaultLocale="en" onError={report}>
      <HourCycleContext value={hourCycle}>{children}</HourCycleContext>
    </IntlProvider>
  );
}

function report(error: unknown): void {
  reportError(error);
}
