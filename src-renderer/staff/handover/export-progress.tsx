/** Progress of an export and, at its end, the receipt with what is in the file and what was left out. */
import { Button } from 'react-aria-components';
import type { ExportReceipt, ExportResult } from '../../../src-main/contract/exports.ts';
import { Text } from '../../messages/text.tsx';
import { handToBrowser } from '../parts/browser-file.ts';
import type { RunningExport } from './use-export.ts';

/** Empty before the first export starts. */
export function ExportProgress({ running }: { readonly running: RunningExport }) {
  const { job, toBrowser, refused, cancel } = running;
  if (refused !== null) {
    return (
      <p className="notice" data-tone="stop" role="status">
        <Text id={`refusal.${refused}`} />
      </p>
    );
  }
  if (job === null) return null;
  if (job.result !== null) return <Result result={job.result} toBrowser={toBrowser} />;
  return (
    <div className="export-running" role="status">
      <progress max={Math.max(job.of, 1)} value={job.done} />
      <p>
        <Text id="handover.progress" values={{ done: job.done, of: job.of }} />
        {job.left === null ? null : (
          <>
            {' · '}
            <Text id="handover.left" values={{ seconds: Math.ceil(job.left / 1_000) }} />
          </>
        )}
      </p>
      <Button className="mini-button" onPress={cancel}>
        <Text id="staff.cancel" />
      </Button>
    </div>
  );
}

type ResultProps = { readonly result: ExportResult; readonly toBrowser: boolean };

function Result({ result, toBrowser }: ResultProps) {
  switch (result.kind) {
    case 'refused':
      return (
        <p className="notice" data-tone="stop" role="status">
          <Text id={`refusal.${result.reason}`} />
        </p>
      );
    case 'nothing':
      return (
        <p className="notice" data-tone="quiet" role="status">
          <Text id={result.why === null ? 'result.nothing' : `result.${result.why}`} />
        </p>
      );
    case 'done':
      return <Receipt receipt={result.receipt} toBrowser={toBrowser} />;
    default:
      return (
        <p className="notice" data-tone={result.kind === 'failed' ? 'stop' : 'quiet'} role="status">
          <Text id={`result.${result.kind}`} />
        </p>
      );
  }
}

type ReceiptProps = { readonly receipt: ExportReceipt; readonly toBrowser: boolean };

function Receipt({ receipt, toBrowser }: ReceiptProps) {
  const { file, count, bytes, sha256, signature, countersignature } = receipt;
  const remarks = [
    'unknown',
    'takenBack',
    'merged',
    'withoutEmail',
    'withoutCompany',
    'cut',
    'leftOut',
    'files',
    'filesMissing',
  ] as const;
  return (
    <div className="receipt" role="status">
      <p className="notice" data-tone="captured">
        <Text id="receipt.done" values={{ count, file }} />
      </p>
      <ul>
        {remarks
          .filter((name) => receipt[name] > 0)
          .map((name) => (
            <li key={name}>
              <Text id={`receipt.${name}`} values={{ count: receipt[name] }} />
            </li>
          ))}
        <li>
          <Text id="receipt.proof" values={{ size: Math.ceil(bytes / 1_000), sha256: sha256.slice(0, 16) }} />{' '}
          {toBrowser ? null : <Text id="receipt.beside" />}
        </li>
        <li>
          {countersignature === undefined ? (
            <Text id={signature === null ? 'receipt.unsigned' : 'receipt.signedAlone'} />
          ) : (
            <Text id="receipt.signedByBoth" values={{ hub: countersignature.hub }} />
          )}
        </li>
      </ul>
      {toBrowser ? (
        <Button className="mini-button" onPress={() => fetchReceipt(receipt)}>
          <Text id="receipt.fetch" />
        </Button>
      ) : null}
    </div>
  );
}

/**
 * The receipt is the same file that a folder export writes beside the export. A browser would ask before it downloads
 * two files at the same time.
 */
function fetchReceipt(receipt: ExportReceipt): void {
  const text = `${JSON.stringify(receipt, null, 2)}\n`;
  handToBrowser([text], `${receipt.file}.receipt.json`, 'application/json');
}
