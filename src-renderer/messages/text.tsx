/**
 * Texts for components, with typed ids. Names are isolated, so that their direction does not affect the text around
 * them.
 *
 * Invariants:
 * - Texts of visitors and partners are passed as values, never as messages or HTML.
 * - A message with a missing value is reported as a defect.
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

/** A message in the page. String values keep their own direction. */
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
      typeof value === 'string' && !selectors.has(key) ? <bdi key={key}>{withItsEnd(value)}</bdi> : value,
    ]),
  );
  return intl.formatMessage({ id }, isolated);
}

/** A name whose final initial stays in the line of the word before it, as in "Alexandrine F.". */
function withItsEnd(name: string): ReactNode {
  const [, before = '', end] = /^(.*?)([^\s-]+\s\p{L}\.?)$/u.exec(name) ?? [];
  if (end === undefined) return name;
  return (
    <>
      {before}
      <span className="together">{end}</span>
    </>
  );
}

/** Values that only select a wording and are never shown. */
const selectors: ReadonlySet<string> = new Set([
  ...['purpose', 'named', 'resource', 'kind', 'reason', 'begins', 'notice', 'withLink', 'since'],
]);

/**
 * Sets language and hour cycle for everything below it. The state of the components survives a change of language.
 */
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
