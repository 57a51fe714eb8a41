/** Files that the page gives to the browser as downloads. */

/** Downloads `pieces` as one file called `name`. */
export function handToBrowser(pieces: readonly BlobPart[], name: string, type?: string): void {
  const address = URL.createObjectURL(new Blob([...pieces], type === undefined ? {} : { type }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(address);
}
