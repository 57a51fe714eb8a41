/**
 * The proof of the count, for third parties: the fingerprints of this device and its hub, the signed proof, and the
 * page that verifies it.
 *
 * Invariant: it works after the device was emptied, because the proof holds no personal data.
 */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';
import { handToBrowser } from '../parts/browser-file.ts';
import { ExportProgress } from './export-progress.tsx';
import { useExport } from './use-export.ts';
import verifyPage from './verify.html?raw';

/** The card. */
export function ProofCard({ link }: { readonly link: Link }) {
  const intl = useIntl();
  const running = useExport(link);
  const signer = useQuery({
    queryKey: ['exports', 'signer'],
    queryFn: () => link.call((client, signal) => client.exports.signer(undefined, { signal })),
  });
  const fingerprint = signer.data?.fingerprint ?? null;
  const hub = signer.data?.hub ?? null;
  return (
    <section className="staff-card">
      <h2>
        <Text id="proof.title" />
      </h2>
      <p>
        <Text id="proof.hint" />
      </p>
      {fingerprint === null ? null : (
        <p>
          <Text id="proof.fingerprint" /> <bdi className="code">{fingerprint}</bdi>
        </p>
      )}
      {hub === null ? null : (
        <p>
          <Text id="proof.hubFingerprint" values={{ name: hub.name }} />{' '}
          <bdi className="code">{hub.fingerprint}</bdi>
        </p>
      )}
      <div className="correct-actions">
        <Button
          className="staff-button line-button"
          isDisabled={running.busy}
          onPress={() => running.start({ kind: 'proof', filter: {}, place: null, language: intl.locale })}
        >
          <Text id="proof.make" />
        </Button>
        <Button
          className="mini-button"
          onPress={() => handToBrowser([verifyPage], 'verify.html', 'text/html')}
        >
          <Text id="proof.page" />
        </Button>
      </div>
      <ExportProgress running={running} />
    </section>
  );
}
