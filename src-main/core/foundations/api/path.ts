/**
 * Paths and addresses with ids in them. Pure.
 *
 * Invariant: an id stays one segment. It cannot end the path, climb to a parent, or turn a single read into a list.
 */
import { ApiError } from './error-class.ts';

/**
 * `pathOf\`/visitors/${expoId}/${visitorId}\``: the template with its ids escaped.
 *
 * @throws ApiError (`reject`, nothing is sent) when an id is empty, `.`, `..` or not Unicode text
 */
export function pathOf(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return parts.reduce((path, part, index) => path + segmentOf(ids[index - 1] ?? '') + part);
}

function segmentOf(id: string): string {
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) {
    throw new ApiError(
      { kind: 'reject', status: 400, reason: 'the identifier cannot be part of a path' },
      'an identifier cannot be part of a path',
    );
  }
  return encodeURIComponent(id);
}

/** The text of a content's QR code: `{discoverUrl}/c/<contentId>` (docs/interface/resources.md#content). */
export function contentQrText(discoverUrl: string, contentId: string): string {
  return `${discoverUrl.replace(/\/+$/, '')}/c/${encodeURIComponent(contentId)}`;
}
