/**
 * A QR code, drawn from the modules of `uqr`.
 *
 * Invariants:
 * - The code is dark on light in every theme, with the quiet zone that readers need.
 * - It is never mirrored.
 * - If the content is too long, there is no code.
 */
import { encode } from 'uqr';

/** Maximum number of bytes in a code. */
const mostBytes = 2_300;
/**
 * Width of the quiet zone in modules (ISO/IEC 18004 requires four; the card around the code provides two of them).
 */
const quiet = 2;

/** Above this number of bytes, larger modules help a reader more than more error correction. */
const manyBytes = 200;

/** The code for an address or a text; `label` describes it. */
export function QrCode({ content, label }: { readonly content: string; readonly label: string }) {
  const { length } = new TextEncoder().encode(content);
  if (length > mostBytes) return null;
  const { data } = encode(content, { ecc: length > manyBytes ? 'L' : 'M', border: quiet });
  return (
    <svg className="qr" viewBox={`0 0 ${data.length} ${data.length}`} role="img" aria-label={label}>
      <path className="qr-ink" d={pathOf(data)} />
    </svg>
  );
}

/** One stroke per run of dark modules. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) =>
      row.map((dark, x) => {
        if (!dark || row[x - 1]) return '';
        const end = row.indexOf(false, x);
        return `M${x} ${y}h${(end < 0 ? row.length : end) - x}v1H${x}z`;
      }),
    )
    .join('');
}
