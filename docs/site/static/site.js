// What the theme leaves to be said for readers who use a keyboard or hear the page.
addEventListener('DOMContentLoaded', () => {
  for (const caption of document.querySelectorAll('.caption[role=heading]')) {
    caption.setAttribute('aria-level', '2');
  }
  const names = {'.sidebar-drawer': 'Pages', '.toc-drawer': 'On this page'};
  for (const [place, name] of Object.entries(names)) {
    document.querySelector(place)?.setAttribute('aria-label', name);
  }
  // The corner above row names is no heading.
  for (const cell of document.querySelectorAll('th')) {
    if (!cell.textContent.trim()) cell.replaceWith(document.createElement('td'));
  }
  // Blocks and tables wider than the page are scrolled by keyboard, too.
  document.querySelectorAll('pre, .table-wrapper').forEach((block, n) => {
    if (block.scrollWidth > block.clientWidth) {
      block.tabIndex = 0;
      block.setAttribute('role', 'region');
      block.setAttribute('aria-label', `${block.matches('pre') ? 'Code' : 'Table'} ${n + 1}`);
    }
  });
});
