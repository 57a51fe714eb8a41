/**
 * Keeps the fleet page fresh while nobody is at work on it, and in the light of the system. The page works without it.
 */
const FRESH_EVERY_MS = 10_000;

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const light = () => {
  document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
};
light();
dark.addEventListener('change', light);

/** Whether somebody selected or typed something that a new page would take away. */
const isAtWork = () =>
  document.querySelector('#live input:checked') !== null ||
  [...document.querySelectorAll('#live input[type="text"]')].some((input) => input.value !== '') ||
  document.activeElement?.closest('#live') != null;

const refresh = async () => {
  if (isAtWork() || document.hidden) return;
  const answer = await fetch(window.location.href);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.querySelector('#live');
  if (fresh === null) window.location.reload();
  else if (!isAtWork()) document.querySelector('#live')?.replaceWith(fresh);
};

const again = () =>
  window.setTimeout(() => {
    refresh()
      // The hub is away: what stands here is the last that is known.
      .catch(() => undefined)
      .finally(again);
  }, FRESH_EVERY_MS);
again();
