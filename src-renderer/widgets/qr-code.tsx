/**
 * A QR code, drawn from the modules of `uqr`.
 *
 * Invariants: dark on light in every theme, with the quiet zone that readers need; never mirrored; an address too long
 * for a code shows none.
 */
import { encode } from 'uqr';

/** Maximum number of bytes at this correction level. */
const mostBytes = 2_300;
/** Modules of quiet zone (ISO/IEC 18004 requires four; two of them are the card around it). */
const quiet = 2;

/** The code for `address`; `label` describes its target. */
export function QrCode({ address, label }: { readonly address: string; readonly label: string }) {
  if (new TextEncoder().encode(address).length > mostBytes) return null;
  const { data } = encode(address, { ecc: 'M', border: quiet });
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
