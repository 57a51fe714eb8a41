/** The logo of the platform's pages: a badge that is being read. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 220 48" role="img" aria-label="Event platform">
<rect x="4" y="8" width="32" height="32" rx="7" fill="none" stroke="#fff" stroke-width="3"/>
<path d="M14 31a10 10 0 0 1 0-14M21 28a5 5 0 0 1 0-8" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>
<circle cx="27" cy="24" r="2.5" fill="#fff"/>
<text x="48" y="31" font-family="sans-serif" font-size="20" font-weight="600" fill="#fff">Event platform</text>
</svg>`;
