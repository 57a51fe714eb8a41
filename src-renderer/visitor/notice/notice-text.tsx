/**
 * The notice: who gets the data, why, for how long, and where the full text is.
 *
 * Invariants:
 * - It is in the available language that fits the page best, and marked with its own language and direction.
 * - Texts are data, never HTML.
 */
import { useIntl } from 'react-intl';
import type { Notice } from '../../../src-main/contract/stand.ts';
import { Text, useText } from '../../messages/text.tsx';
import { nearest } from '../../messages/translated-text.ts';
import { QrCode } from '../../widgets/qr-code.tsx';

/** Recipient, purpose and retention, line by line. */
export function NoticeLines({ notice }: { readonly notice: Notice }) {
  const { locale } = useIntl();
  const found = nearest(notice.texts, locale);
  if (!found) return null;
  return (
    <dl className="notice-lines" lang={found.language}>
      {(['who', 'why', 'howLong'] as const).map((part) => (
        <div key={part}>
          <dt lang={locale}>
            <Text id={`notice.${part}`} />
          </dt>
          <dd dir="auto">{found.value[part]}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The link to the full text: as a code for a phone, and as a written address. */
export function NoticeLink({ link }: { readonly link: string }) {
  const text = useText();
  return (
    <figure className="qr-card">
      <QrCode content={link} label={text('notice.scan')} />
      <figcaption>
        <Text id="notice.scan" />
        <bdi className="address" dir="ltr">
          {link.replace(/^https?:\/\//, '')}
        </bdi>
      </figcaption>
    </figure>
  );
}
