/** One line of the wording on the page, whoever wrote it. */
import type { ReactNode } from 'react';
import { Text } from '../../messages/text.tsx';
import type { Line } from './wording.ts';

/** The line; what the stand wrote itself stands in its own reading direction. */
export function TextLine({ line }: { readonly line: Line }): ReactNode {
  return 'own' in line ? <bdi dir="auto">{line.own}</bdi> : <Text {...line} />;
}
