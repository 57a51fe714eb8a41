/** One line of text, from a message or from the stand. */
import type { ReactNode } from 'react';
import { Text } from '../../messages/text.tsx';
import type { Line } from './wording.ts';

/** The line. A text of the stand keeps its own reading direction. */
export function TextLine({ line }: { readonly line: Line }): ReactNode {
  return 'own' in line ? <bdi dir="auto">{line.own}</bdi> : <Text {...line} />;
}
