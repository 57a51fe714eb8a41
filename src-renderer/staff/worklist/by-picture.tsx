/**
 * A person whose badge has no chip: reads a badge or business card from a picture, suggests people of the event, and
 * fills the form.
 *
 * Invariants:
 * - Staff choose the person or check the form. Nothing is assigned automatically.
 * - The picture is stored with the new lead until staff discard it.
 */
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { ContactCard } from '../../../src-main/contract/people.ts';
import type { Candidate, Recognised } from '../../../src-main/contract/recognition.ts';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';
import { recognitionTimes, setupTimes } from '../../times.ts';
import { addressOf, goTo } from '../address/address.ts';
import type { Edits } from '../lead/edits.ts';
import { TakePicture } from '../media/take-picture.tsx';
import { uploadFile } from '../media/upload.ts';

type ByPictureProps = {
  readonly link: Link;
  readonly edits: Edits;
  /** Receives the contact on a card. `isOnly`: the picture matches no person of the event. */
  readonly onCard: (card: ContactCard, isOnly: boolean) => void;
  /** Receives the upload id of a picture, and whether it fills the form. */
  readonly onPicture: (upload: string, fills: boolean) => void;
};

type Shown =
  | { readonly kind: 'off' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'answer'; readonly upload: string; readonly answer: Recognised };

/** The buttons, and the result of the recognition. */
export function ByPicture({ link, edits, onCard, onPicture }: ByPictureProps) {
  const [shown, setShown] = useState<Shown>({ kind: 'off' });
  const refuse = (reason: 'notPicture' | 'lost'): void =>
    setShown({ kind: 'answer', upload: '', answer: { kind: 'refused', reason } });
  const read = async (picture: Blob): Promise<void> => {
    setShown({ kind: 'reading' });
    try {
      const upload = await uploadFile(link, picture);
      if (upload === null) return refuse('notPicture');
      const answer = await link.call(
        (client, signal) => client.leads.recognition.read({ upload }, { signal }),
        recognitionTimes.read,
      );
      setShown({ kind: 'answer', upload, answer });
      if (answer.kind !== 'read') return;
      onPicture(upload, answer.card !== null);
      if (answer.card !== null) onCard(answer.card, answer.candidates.length === 0);
    } catch {
      // The device did not answer in time.
      refuse('lost');
    }
  };
  const choose = async ({ visitor }: Candidate, upload: string): Promise<void> => {
    const kept = await edits.run((to) =>
      to.call((client, signal) => client.leads.addVisitor({ visitor }, { signal })),
    );
    if (kept?.kind !== 'kept') return;
    await keepPicture(link, kept.lead, upload);
    setShown({ kind: 'off' });
    goTo(addressOf('leads', new URLSearchParams({ lead: kept.lead })));
  };
  return (
    <div className="by-picture">
      <TakePicture
        link={link}
        isBusy={shown.kind === 'reading'}
        takeLabel="picture.take"
        chooseLabel="picture.choose"
        onPicture={(picture) => void read(picture)}
        onTooLarge={() => refuse('notPicture')}
      />
      {shown.kind === 'reading' ? (
        <p role="status">
          <Text id="picture.reading" />
        </p>
      ) : null}
      {shown.kind === 'answer' ? (
        <Answer {...shown} onChoose={(candidate) => void choose(candidate, shown.upload)} />
      ) : null}
    </div>
  );
}

/** Stores the picture with the lead. If this fails, the lead has no picture. */
export async function keepPicture(link: Link, lead: string, upload: string): Promise<void> {
  await link
    .call((client, signal) => client.leads.attachments.photo({ lead, upload }, { signal }), setupTimes.ask)
    .catch(() => undefined);
}

type AnswerProps = {
  readonly answer: Recognised;
  readonly onChoose: (candidate: Candidate) => void;
};

function Answer({ answer, onChoose }: AnswerProps) {
  if (answer.kind === 'refused')
    return (
      <p className="notice" data-tone="wait" role="status">
        <Text id={`picture.${answer.reason}`} />
      </p>
    );
  const { candidates, card, names } = answer;
  return (
    <div className="by-picture" role="status">
      {names === 'all' ? null : (
        <p className="notice" data-tone="wait">
          <Text id={names === 'some' ? 'picture.namesSome' : 'picture.namesNone'} />
        </p>
      )}
      {candidates.length === 0 ? (
        names === 'all' ? (
          <p>
            <Text id={card === null ? 'picture.nobody' : 'picture.cardOnly'} />
          </p>
        ) : null
      ) : (
        <>
          <p>
            <Text id="picture.who" />
          </p>
          <ul className="file-list">
            {candidates.map((candidate) => (
              <li key={candidate.visitor} className="file">
                <Button className="staff-button line-button" onPress={() => onChoose(candidate)}>
                  <bdi>
                    {[candidate.name, candidate.jobTitle, candidate.company].filter(Boolean).join(' · ')}
                  </bdi>
                </Button>
                <span className="file-words">
                  <Text
                    id={candidate.matchedCompany ? 'picture.nameAndCompany' : 'picture.nameOnly'}
                    values={{ percent: Math.round(candidate.score * 100) }}
                  />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {card === null ? null : (
        <p>
          <Text id="picture.filled" />
        </p>
      )}
    </div>
  );
}
