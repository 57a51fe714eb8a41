/**
 * How components get their texts: typed ids, and names set apart so that their direction cannot spill over.
 *
 * Invariants: texts of visitors and partners go in as values, never as messages or HTML; a sentence that ends with a value
 * that ends with a full stop (an initial, `Inc.`) has one.
 */
import { type ReactNode, useCallback } from 'react';
import { IntlProvider, type IntlShape, useIntl } from 'react-intl';
import type { Language, MessageId } from './catalogue.ts';
import { HourCycleContext } from './clock.ts';
import type { HourCycle } from './hour-cycle.ts';

export type TextValues = Readonly<Record<string, string | number | boolean>>;

/** Plain text of a message, for labels and announcements. */
export function useText(): (id: MessageId, values?: TextValues) => string {
  const intl = useIntl();
  return useCallback(
    (id, values = {}) => intl.formatMessage({ id }, withOneFullStop(intl, id, values)),
    [intl],
  );
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

/** The values without the full stop they end with where the message brings its own. */
function withOneFullStop(intl: IntlShape, id: MessageId, values: TextValues): TextValues {
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

/** Values that choose a wording and are never seen. */
const selectors: ReadonlySet<string> = new Set([
  ...['purpose', 'named', 'resource', 'kind', 'reason', 'only', 'notice', 'withLink'],
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
    <IntlProvider locale={language.tag} messages={language.messages} defaultLocale="en">
      <HourCycleContext value={hourCycle}>{children}</HourCycleContext>
    </IntlProvider>
  );
}
