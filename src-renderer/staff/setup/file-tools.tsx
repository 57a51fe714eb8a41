/**
 * A set-up from a file and this one into one; the file of a box in the hall, too.
 *
 * Invariants: the key goes into a file only when somebody asked for it; a file may be dropped anywhere on the page; nothing is
 * changed by a file alone.
 */
import { useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import type { SetupTaken } from '../../../src-main/contract/setup.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { setupTimes } from '../../times.ts';
import { BoxFile, type BoxOffer, FileRefusal } from './box-file.tsx';
import { CheckField, Heard } from './fields.tsx';
import { fetchSetup, putFile } from './files.ts';

type FileToolsProps = {
  readonly link: Link;
  readonly canWrite: boolean;
  readonly onTaken: (taken: Extract<SetupTaken, { kind: 'setup' }>) => void;
};

type Answer =
  | { readonly kind: 'taken' | 'lost' | 'written' | 'enrolled' }
  | BoxOffer
  | { readonly kind: 'refused'; readonly taken: Extract<SetupTaken, { kind: 'refused' }> };

/** A set-up from a file, and this one into one. */
export function FileTools({ link, canWrite, onTaken }: FileToolsProps) {
  const text = useText();
  const [withKey, setWithKey] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const take = async (file: File) => {
    const upload = await putFile(link, file);
    if (upload === null) {
      return setAnswer({ kind: 'refused', taken: { kind: 'refused', reason: 'notOurs', faults: [] } });
    }
    const taken = await link.call(
      (client, signal) => client.setup.take({ upload }, { signal }),
      setupTimes.ask,
    );
    if (taken.kind === 'refused') return setAnswer({ kind: 'refused', taken });
    if (taken.kind === 'box') return setAnswer(taken);
    setAnswer({ kind: 'taken' });
    onTaken(taken);
  };
  const use = (file: File) => void take(file).catch(() => setAnswer({ kind: 'lost' }));
  useDroppedFile(use);
  return (
    <div className="setup-part">
      <h3>
        <Text id="setup.file" />
      </h3>
      <p className="setup-hint">
        <Text id="setup.fileHint" />
      </p>
      <div className="setup-row">
        <label className="staff-button line-button file-button">
          <Text id="setup.fileTake" />
          <input
            className="only-heard"
            type="file"
            accept=".json,application/json"
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file !== undefined) use(file);
              target.value = '';
            }}
          />
        </label>
        {canWrite ? (
          <>
            <Button
              className="staff-button line-button"
              onPress={() => {
                fetchSetup(link, withKey).then(
                  () => setAnswer({ kind: 'written' }),
                  () => setAnswer({ kind: 'lost' }),
                );
              }}
            >
              <Text id="setup.fileWrite" />
            </Button>
            <CheckField label={text('setup.fileKey')} checked={withKey} onChange={setWithKey} />
          </>
        ) : null}
      </div>
      {answer?.kind === 'box' ? (
        <BoxFile
          key={answer.upload}
          link={link}
          offer={answer}
          onEnrolled={() => setAnswer({ kind: 'enrolled' })}
        />
      ) : (
        <FileAnswer answer={answer} />
      )}
    </div>
  );
}

function FileAnswer({ answer }: { readonly answer: Exclude<Answer, BoxOffer> | null }) {
  switch (answer?.kind) {
    case undefined:
      return null;
    case 'lost':
      return (
        <Heard tone="stop">
          <Text id="delivery.failed" />
        </Heard>
      );
    case 'refused':
      return <FileRefusal refusal={answer.taken} />;
    case 'taken':
    case 'written':
    case 'enrolled':
      return (
        <Heard tone="captured">
          <Text id={`setup.file.${answer.kind}`} />
        </Heard>
      );
  }
}

/** Hands over what is dropped anywhere on the page; without this the browser would leave the page for it. */
function useDroppedFile(onFile: (file: File) => void): void {
  const current = useRef(onFile);
  current.current = onFile;
  useEffect(() => {
    const over = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) current.current(file);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', drop);
    };
  }, []);
}
