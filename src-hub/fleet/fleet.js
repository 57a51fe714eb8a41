/**
 * Refreshes the fleet page while nobody edits it, and follows the colour scheme of the system. The page also works
 * without this script.
 */
const REFRESH_EVERY_MS = 10_000;

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const light = () => {
  document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
};
light();
dark.addEventListener('change', light);

/** Whether the page holds a selection or typed text that a refresh would lose. */
const isEdited = () =>
  document.querySelector('#live input:checked') !== null ||
  [...document.querySelectorAll('#live input[type="text"]')].some((input) => input.value !== '') ||
  document.activeElement?.closest('#live') != null;

const refresh = async () => {
  if (isEdited() || document.hidden) return;
  const answer = await fetch(window.location.href);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.querySelector('#live');
  if (fresh === null) window.location.reload();
  else if (!isEdited()) document.querySelector('#live')?.replaceWith(fresh);
};

const again = () =>
  window.setTimeout(() => {
    refresh()
      // The hub is unreachable: the page keeps its last content.
      .catch(() => undefined)
      .finally(again);
  }, REFRESH_EVERY_MS);
again();
