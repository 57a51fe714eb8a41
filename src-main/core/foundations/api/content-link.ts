/**
 * The address behind a content's QR code. Pure.
 */

/** What a compatible QR code holds: `{discover_url}/c/<content_id>` ("Content item", rules). */
export function contentQrText(discoverUrl: string, contentId: string): string {
  return `${discoverUrl.replace(/\/+$/, '')}/c/${encodeURIComponent(contentId)}`;
}
