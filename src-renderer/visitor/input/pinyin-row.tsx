/**
 * The typed pinyin and its candidate characters, most common first.
 *
 * Invariant: the row keeps its height while it is empty, so that no key moves under a finger.
 */
import { useState } from 'react';
import { useText } from '../../messages/text.tsx';
import { Key } from './keyboard-key.tsx';
import { candidatesFor } from './pinyin.ts';

const inSight = 8;

/** The row; `take` receives the chosen character. */
export function PinyinRow({
  letters,
  take,
}: {
  readonly letters: string;
  readonly take: (character: string) => void;
}) {
  const text = useText();
  const [page, setPage] = useState(0);
  const { characters } = candidatesFor(letters);
  const pages = Math.ceil(characters.length / inSight);
  const turn = (by: number) => setPage((page + by + pages) % pages);
  return (
    <div className="key-row pinyin-row">
      <span className="pinyin-letters" role="status">
        {letters}
      </span>
      {pages > 1 ? <Key label="‹" name={text('offer.previous')} press={() => turn(-1)} /> : null}
      {characters.slice(page * inSight, (page + 1) * inSight).map((character) => (
        <Key key={character} label={character} press={() => take(character)} />
      ))}
      {pages > 1 ? <Key label="›" name={text('offer.next')} press={() => turn(1)} /> : null}
    </div>
  );
}
