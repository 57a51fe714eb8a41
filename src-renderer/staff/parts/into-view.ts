/** Scrolls a part that just opened into view; for the `ref` of its element. */
export function intoView(part: HTMLElement | null): void {
  part?.scrollIntoView({ block: 'nearest' });
}
